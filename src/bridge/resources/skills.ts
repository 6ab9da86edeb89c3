import { messageOf, SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { Surface } from '../../calls/callTypes.ts';
import { HOOK_URI } from '../../calls/itemRequest.ts';
import { hasSkills, readSkill, type McpSkill, type SkillFile } from '../../catalog/skills/skillEntry.ts';
import { skillOf } from '../../catalog/items/listServerItems.ts';
import { checkSkillFile, SkillMismatch, textOf, type CheckedFile } from '../../catalog/skills/checkSkillFile.ts';
import { fileNames } from '../../catalog/skills/fileNames.ts';
import { referredPath, rootOf } from '../../catalog/skills/skillPaths.ts';
import type { Session } from '../../connection/connectionTypes.ts';
import type { Host } from '../../host/host.ts';
import type { ServerView } from '../../host/views/serverView.ts';
import type { Listing } from './listOffered.ts';
import { contentsOf } from './readContents.ts';
import { capabilitiesOf, connectedView, connectedViews, readySession } from './serverRequests.ts';

export interface SkillRequest {
  /** By any of its names; absent: the one that has the skill. */
  readonly server?: string;
  /** Its name, or the address of its `SKILL.md`. */
  readonly skill: string;
  /** A file of it, by its path from the skill's folder; absent: `SKILL.md`. */
  readonly file?: string;
  readonly surface: Surface;
  readonly signal: AbortSignal;
  readonly surfaceContext?: unknown;
  /** As in `ToolCall`. */
  readonly caller?: string;
  /** The user chose just this in the editor. */
  readonly isUsersAct?: boolean;
}

/** A file of a skill that is what its server stated. */
export interface LoadedSkill extends CheckedFile {
  /** As configured. */
  readonly server: string;
  readonly skill: McpSkill;
  readonly file: SkillFile;
  /** What hooks say to it. */
  readonly notes: readonly string[];
  /** A hook says something in its place: then nothing of it goes on. */
  readonly isReplaced: boolean;
}

/** A skill as people see it: `new` waits for an answer of theirs, `changed` for a review, `dynamic` isn't loaded. */
export interface OfferedSkill {
  /** As configured. */
  readonly server: string;
  readonly serverId: string;
  readonly skill: McpSkill;
  readonly state: 'approved' | 'changed' | 'new' | 'dynamic';
}

/**
 * The skills of one server, or of all that are connected, those that are held back among them. A server that fails costs itself alone.
 * @throws SwitchboardError `unknown-server`
 */
export async function listAllSkills(host: Host, signal: AbortSignal, server?: string): Promise<Listing<OfferedSkill>> {
  const failures: string[] = [];
  const ofServer = async (view: ServerView): Promise<readonly OfferedSkill[]> => {
    const { id, name } = view.definition;
    try {
      const { leftOut } = await host.feed.skills.list(id, await readySession(host, view, signal), signal);
      failures.push(...leftOut.map((sentence) => `${name}: left out. ${sentence}`));
      const skills = host.feed.skills.lastListed(id).flatMap((item) => skillOf(item) ?? []);
      return skills.map((skill) => ({ server: name, serverId: id, skill, state: stateOf(host, id, skill) }));
    } catch (error) {
      failures.push(`${name}: ${messageOf(error)}`);
      return [];
    }
  };
  const items = (await Promise.all(viewsWithSkills(host, server).map(ofServer))).flat();
  return { items, failures };
}

function stateOf({ feed }: Host, serverId: string, { uri, files }: McpSkill): OfferedSkill['state'] {
  if (feed.skills.changesOf(serverId).has(uri)) return 'changed';
  if (files === 'dynamic') return 'dynamic';
  return feed.skills.isNew(serverId, uri) ? 'new' : 'approved';
}

/** A skill, and the server that has it. */
interface FoundSkill {
  readonly view: ServerView;
  readonly session: Session;
  readonly skill: McpSkill;
}

/** The servers that say they have skills; of one that is named, only that. @throws SwitchboardError `unknown-server` */
export function viewsWithSkills(host: Host, server?: string): readonly ServerView[] {
  const views = server === undefined ? connectedViews(host) : [connectedView(host, server)];
  return views.filter((view) => hasSkills(capabilitiesOf(view)));
}

/**
 * Reads a file of a skill through the broker, as any resource, and holds it against what the server stated of it. Nothing is read
 * before it is asked for. What doesn't fit may be out of date: then the server is asked once more what the skill is.
 * @throws SwitchboardError `unknown-server`, `invalid-arguments`, `call-failed` where a file isn't what was stated, or what the
 * broker throws
 */
export async function loadSkill(host: Host, request: SkillRequest): Promise<LoadedSkill> {
  const found = await findSkill(host, request);
  try {
    return await readFile(host, found, request);
  } catch (error) {
    if (!(error instanceof SkillMismatch)) throw error;
    const { uri } = found.skill;
    const again =
      (await refreshed(host, found, request.signal)) ?? (await fetchSkill(host, found, { ...request, skill: uri }));
    if (JSON.stringify(again.files) === JSON.stringify(found.skill.files)) throw error;
    return readFile(host, { ...found, skill: again }, request);
  }
}

async function readFile(host: Host, { view, skill }: FoundSkill, request: SkillRequest): Promise<LoadedSkill> {
  const { server: _server, skill: _skill, file: reference, ...rest } = request;
  const file = fileOf(skill, reference);
  let checked: CheckedFile | undefined;
  const result = await host.broker.request({
    ...rest,
    serverId: view.definition.id,
    method: 'resources/read',
    params: { uri: file.uri },
    check: async (given: JsonObject) => {
      checked = await checkSkillFile(skill, file, given);
      return { contents: [{ uri: file.uri, text: textOf(checked.bytes) }] };
    },
  });
  if (!checked)
    throw new SwitchboardError('call-failed', `The file ${file.path} of the skill ${skill.name} was not read.`);
  const contents = contentsOf(result, file.uri);
  const notes = contents.flatMap((each) => (each.uri === HOOK_URI && each.kind === 'text' ? [each.text] : []));
  const isReplaced = notes.length === contents.length;
  return { ...checked, server: view.definition.name, skill, file, notes, isReplaced };
}

function fileOf(skill: McpSkill, reference = 'SKILL.md'): SkillFile {
  if (skill.files === 'dynamic')
    throw new SwitchboardError(
      'unsupported',
      `The skill ${skill.name} was not loaded: its server makes its files as they are read, so that nothing tells whether they are what the user approved.`,
      { remedy: 'Continue without this skill.' },
    );
  const path = referredPath(rootOf(skill.uri)?.uri ?? '', reference);
  const file = skill.files.find((each) => each.path === path);
  if (file) return file;
  throw new SwitchboardError('invalid-arguments', `The skill ${skill.name} has no such file. Nothing was read.`, {
    remedy: `Its files, by the names that its server gives them: ${fileNames(skill.files, (name) => name)}.`,
  });
}

async function findSkill(host: Host, request: SkillRequest): Promise<FoundSkill> {
  const { server, skill: wanted, signal } = request;
  const views = viewsWithSkills(host, server);
  const lists = await Promise.all(views.map((view) => skillsOf(host, view, signal, views.length > 1)));
  const all = lists.flat();
  const fitting = all.filter(({ skill: { name, uri } }) => wanted === uri || wanted === name);
  const [only, ...others] = fitting;
  if (only && others.length === 0) return only;
  if (only)
    throw new SwitchboardError('invalid-arguments', `Several skills are called ${wanted}. None was loaded.`, {
      remedy: `Give the server and the address: ${fitting.map(({ view, skill }) => `${view.definition.name}: ${skill.uri}`).join(', ')}.`,
    });
  const [view] = views;
  // A server needn't list what it has: then the address alone finds it, at one server.
  if (view && views.length === 1 && rootOf(wanted)) {
    const session = await readySession(host, view, signal);
    return { view, session, skill: await fetchSkill(host, { view, session }, { ...request, skill: wanted }) };
  }
  const names = all.map(({ skill }) => skill.name).slice(0, 50);
  const servers = views.map(({ definition }) => definition.name).join(', ');
  throw new SwitchboardError('invalid-arguments', 'There is no such skill. Nothing was loaded.', {
    remedy: `Skills are: ${names.join(', ') || 'none'}. Servers with skills are: ${servers || 'none'}.`,
  });
}

/** @param isLenient a server that fails counts as having none */
async function skillsOf(host: Host, view: ServerView, signal: AbortSignal, isLenient: boolean): Promise<FoundSkill[]> {
  try {
    const session = await readySession(host, view, signal);
    const items = await host.feed.skills.known(view.definition.id, session, signal);
    return items.flatMap((item) => {
      const skill = skillOf(item);
      return skill ? [{ view, session, skill }] : [];
    });
  } catch (error) {
    if (!isLenient || signal.aborted) throw error;
    return [];
  }
}

/** The skill as its server lists it now, if it does. */
async function refreshed(
  host: Host,
  { view, session, skill }: FoundSkill,
  signal: AbortSignal,
): Promise<McpSkill | undefined> {
  const { id } = view.definition;
  host.feed.skills.forget(session);
  const items = await host.feed.skills.known(id, session, signal);
  return items.map(skillOf).find((each) => each?.uri === skill.uri);
}

/**
 * A skill that the server doesn't list. The address is the caller's, and could carry something: it goes the way of all calls.
 * @throws SwitchboardError where the server has none at this address, or what it says of it can't be
 */
async function fetchSkill(
  host: Host,
  { view, session }: Omit<FoundSkill, 'skill'>,
  { server: _server, file: _file, skill: uri, ...rest }: SkillRequest,
): Promise<McpSkill> {
  const serverId = view.definition.id;
  const { skill: item } = await host.broker.request({ ...rest, serverId, method: 'skills/get', params: { uri } });
  const skill = readSkill(item);
  if ('problem' in skill || skill.uri !== uri) {
    const why = 'problem' in skill ? skill.problem : 'the server answered with another one';
    throw new SwitchboardError('call-failed', `The skill was not loaded: ${why}.`, {
      remedy: 'Continue without this skill.',
    });
  }
  await host.feed.skills.add(serverId, session, item as JsonObject);
  if (!host.feed.skills.lastListed(serverId).includes(item as JsonObject))
    throw new SwitchboardError('call-failed', 'The skill was not loaded: another skill has its folder.', {
      remedy: 'Continue without this skill.',
    });
  return skill;
}
