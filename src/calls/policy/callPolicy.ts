import { effectOf, type ToolEffect } from '../../catalog/catalogTool.ts';
import type { PermissionRule, RuleSource } from '../../config/rules/permissionRules.ts';
import type { ToolAnnotations } from '../../connection/connectionTypes.ts';
import type { AnnotationTrust, ApprovalMode } from '../callSettings.ts';
import type { Decision } from '../callTypes.ts';
import { say } from '../../base/say.ts';

/** Everything that the policy decides by. Pure data, so that a decision can be explained and tested. */
export interface PolicyInput {
  readonly annotations: ToolAnnotations;
  /** How far this server's annotations are trusted. */
  readonly trust: AnnotationTrust;
  readonly mode: ApprovalMode;
  /** The strictest rule that fits the call. */
  readonly rule?: PermissionRule | undefined;
  /** The pattern that the tool's name matches, if its name says that it makes changes. */
  readonly writePattern?: string | undefined;
  /** The user allowed this tool, for this session or always, or with these arguments. */
  readonly granted: boolean;
  /** The tool changed since its approval, and the user hasn't reviewed the change (setting `toolPinning`). */
  readonly changed?: boolean;
  /** What is asked for came after its server was approved, or is never approved with it. */
  readonly unseen?: boolean;
  /** The user allowed this server to reach external systems, in this session or always. */
  readonly openWorldGranted: boolean;
  /** The tool’s name has invisible letters, or letters that look like those of another script. */
  readonly oddName?: boolean;
  /** The tool came after its server was approved, and the user hasn’t allowed a call of it yet. */
  readonly isNew?: boolean;
  /** The rule names the server, but was first used with another definition of that name. */
  readonly isForOther?: boolean;
}

/** The effect that a tool is treated as having. `flagged`: it is marked read-only, but its name says otherwise. */
export function trustedEffect({
  annotations,
  trust,
  writePattern,
  oddName,
}: Pick<PolicyInput, 'annotations' | 'trust' | 'writePattern' | 'oddName'>): {
  readonly effect: ToolEffect;
  readonly flagged: boolean;
} {
  if (trust === 'none') return { effect: 'destructive', flagged: false };
  if (trust === 'destructiveOnly') {
    return { effect: annotations.destructiveHint === false ? 'writes' : 'destructive', flagged: false };
  }
  const effect = effectOf(annotations);
  return effect === 'read-only' && (writePattern !== undefined || oddName === true)
    ? { effect: 'writes', flagged: true }
    : { effect, flagged: false };
}

/**
 * The policy's decision about one call (design: *Calls*); `CallGate` has the last word. The strictest applies: a rule or a
 * mode that denies, one that asks, and only then one that allows or a grant of the user. Without a rule read-only tools run; one that
 * doesn't say `openWorldHint: false` is asked about once per server and session, since a private read followed by an open-world fetch
 * is how data leaves. Everything else asks unless that very tool was granted. What a tool doesn't say counts as the worst
 * (protocol: defaults of annotations). A tool that changed since it was approved is asked about whatever allowed it by its
 * name; only what was granted to it as it is now lets it run.
 */
export function decideByPolicy(input: PolicyInput): Decision {
  const { rule, mode } = input;
  const { effect, flagged } = trustedEffect(input);
  const decision = (action: Decision['action'], reason: string, lasting = true): Decision => ({
    action,
    reason,
    ...(lasting ? {} : { lasting }),
    ...(flagged ? { flagged } : {}),
    ...(input.changed === true && action === 'ask' ? { changed: true } : {}),
  });
  if (rule?.action === 'deny') return decision('deny', because(rule));
  if (mode === 'denyWrites' && effect !== 'read-only') {
    return decision('deny', say`the approval mode allows only read-only tools`);
  }
  if (rule?.action === 'ask') return decision('ask', because(rule), false);
  if (mode === 'askAlways') return decision('ask', say`the approval mode asks for every call`, false);
  const notFor = rule?.action === 'allow' ? reasonNotFor(rule, input) : undefined;
  if (rule?.action === 'allow' && notFor === undefined) return decision('allow', because(rule));
  if (input.granted) return decision('allow', say`you allowed this tool`);
  if (notFor !== undefined) return decision('ask', notFor);
  if (input.changed === true) return decision('ask', changedReason());
  if (input.unseen === true) return decision('ask', say`it is new to you: it wasn’t approved with its server`, false);
  if (flagged) {
    const name =
      input.oddName === true
        ? say`this tool is marked read-only, but its name has letters that look like others, or invisible ones`
        : say`this tool is marked read-only, but its name matches ${input.writePattern ?? ''}`;
    return decision('ask', name);
  }
  if (effect === 'read-only') return decideRead(input);
  return decision('ask', reasonToAsk(input, effect));
}

function decideRead({ annotations, openWorldGranted }: PolicyInput): Decision {
  if (annotations.openWorldHint === false) return { action: 'allow', reason: say`this tool is marked read-only` };
  if (openWorldGranted)
    return {
      action: 'allow',
      reason: say`this tool is marked read-only, and you allowed this server to reach external systems`,
    };
  return {
    action: 'ask',
    reason:
      annotations.openWorldHint === true
        ? say`this tool is marked read-only but reaches external systems, which could receive data that was read earlier`
        : say`this tool is marked read-only but can reach external systems, which could receive data that was read earlier`,
    openWorld: true,
  };
}

const changedReason = (): string => say`it changed since you approved its server`;

/** Why an `allow` rule doesn't count for this tool, if it doesn't. */
function reasonNotFor(rule: PermissionRule, { changed, isNew, isForOther }: PolicyInput): string | undefined {
  if (isForOther === true)
    return say`${because(rule)}, but for another server with this name or for an earlier definition of it`;
  if (changed === true) return say`${changedReason()}; ${because(rule)} only in its approved form`;
  if (isNew === true && /[*?]/.test(rule.tool))
    return say`this tool is new since you approved its server, and ${because(rule)} without naming it`;
  return undefined;
}

function reasonToAsk({ annotations, trust }: PolicyInput, effect: ToolEffect): string {
  if (trust === 'none') return say`annotations from this server are not trusted`;
  if (annotations.destructiveHint === true) return say`this tool is marked destructive`;
  if (trust === 'destructiveOnly') return say`read-only annotations from this server are not trusted`;
  return effect === 'writes'
    ? say`this tool can make changes`
    : say`this tool doesn’t say what it does, so it can be destructive`;
}

function whose(source: RuleSource): string {
  switch (source) {
    case 'enterprise':
      return say`a rule of your organization`;
    case 'user':
      return say`a rule in your settings`;
    case 'workspace':
      return say`a rule in this workspace`;
    case 'entry':
      return say`a rule in the server’s configuration`;
  }
}

function because({ source, action, tool, reason }: PermissionRule): string {
  const why = reason === undefined ? '' : ` (${reason})`;
  switch (action) {
    case 'allow':
      return say`${whose(source)} allows “${tool}”${why}`;
    case 'ask':
      return say`${whose(source)} asks for “${tool}”${why}`;
    case 'deny':
      return say`${whose(source)} denies “${tool}”${why}`;
  }
}
