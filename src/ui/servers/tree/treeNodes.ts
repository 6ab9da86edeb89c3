import type { OfferedPrompt, OfferedResource, OfferedTemplate } from '../../../bridge/resources/listOffered.ts';
import type { OfferedSkill } from '../../../bridge/resources/skills.ts';
import type { CatalogTool } from '../../../catalog/catalogTool.ts';
import type { ConfigProblem, Scope } from '../../../config/configTypes.ts';
import type { McpTool } from '../../../connection/connectionTypes.ts';

export interface ServerNode {
  readonly kind: 'server';
  readonly serverId: string;
}

export interface ToolNode {
  readonly kind: 'tool';
  readonly tool: CatalogTool;
}

/** A tool that its server lists and the definition leaves out. */
export interface DisabledToolNode {
  readonly kind: 'disabledTool';
  readonly serverId: string;
  readonly tool: McpTool;
}

/** A line above the servers: something that waits for the user, with the command that sees to it. */
export interface BannerNode {
  readonly kind: 'banner';
  readonly what: 'untrusted' | 'hosting' | 'approvals' | 'changes' | 'leftToEditor' | 'allDisabled';
}

/** A source that can't be read as a whole. */
export interface FileNode {
  readonly kind: 'file';
  readonly sourceId: string;
}

/** The servers of a scope. */
export interface ScopeNode {
  readonly kind: 'scope';
  readonly scope: Scope;
}

export const CATEGORIES = ['tools', 'resources', 'prompts', 'skills', 'problems'] as const;
export type Category = (typeof CATEGORIES)[number];

/** What a server has of one kind. */
export interface CategoryNode {
  readonly kind: 'category';
  readonly serverId: string;
  readonly what: Category;
}

/** A resource, a template of resources or a prompt. */
export interface ItemNode {
  readonly kind: 'resource' | 'template' | 'prompt';
  readonly serverId: string;
  readonly item: OfferedResource | OfferedTemplate | OfferedPrompt;
}

export interface SkillNode {
  readonly kind: 'skill';
  readonly serverId: string;
  readonly item: OfferedSkill;
}

export interface ProblemNode {
  readonly kind: 'problem';
  readonly problem: ConfigProblem;
}

/** A sentence in the place of rows. */
export interface NoteNode {
  readonly kind: 'note';
  readonly serverId: string;
  readonly text: string;
}

export type Node =
  | ServerNode
  | ToolNode
  | DisabledToolNode
  | BannerNode
  | FileNode
  | ScopeNode
  | CategoryNode
  | ItemNode
  | SkillNode
  | ProblemNode
  | NoteNode;
