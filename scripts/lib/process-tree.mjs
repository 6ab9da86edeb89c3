import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/**
 * Follows everything that one process starts, also what moves to a process group of its own or loses its parent, so
 * that nothing of it can be left behind unseen. Looks into /proc; on other systems it sees nothing.
 *
 * A process belongs to the tree when its parent, its process group or its session does, or when its environment holds
 * the mark. A server that drops its environment and its parent is still seen, because it was a member before.
 */
export class ProcessTree {
  /** @type {Map<string, { pid: number, command: string, ticks: number }>} by pid and start time, since pids are used again */
  #members = new Map();
  #seen = new Set();
  #timer;
  #mark;

  /**
   * @param {number | undefined} rootPid where the tree begins
   * @param {{ mark?: string, intervalMs?: number }} [options] `mark` is a `NAME=value` in the members' environment
   */
  constructor(rootPid, { mark, intervalMs = 400 } = {}) {
    this.#mark = mark;
    this.root = rootPid;
    this.#look();
    this.#timer = setInterval(() => this.#look(recentProcesses(intervalMs / 2)), intervalMs).unref();
  }

  /** The members that are alive now, without the root itself, with what they run now. */
  alive() {
    const now = this.#look();
    const living = [...this.#members].filter(([key, { pid }]) => now.has(key) && pid !== this.root);
    // One that was met just after its fork had its parent's command then.
    return living.map(([key, { pid, command }]) => ({
      pid,
      parent: now.get(key).parent,
      command: commandOf(pid) ?? command,
    }));
  }

  /** What its processes have worked so far, in seconds of one processor, as far as they were seen: the last moments of each are missing. */
  cpuSeconds() {
    let ticks = 0;
    for (const member of this.#members.values()) ticks += member.ticks;
    return ticks / TICKS_PER_SECOND;
  }

  /** Waits for all members to end; gives those that did not. */
  async ended(timeoutMs) {
    const deadline = Date.now() + timeoutMs;
    let left = this.alive();
    while (left.length > 0 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      left = this.alive();
    }
    return left;
  }

  /** Ends the members that are left at once, and stops following. */
  kill() {
    for (let round = 0; round < 3; round++) {
      for (const { pid } of this.alive()) signal(pid, 'SIGKILL');
    }
    this.stop();
  }

  stop() {
    clearInterval(this.#timer);
  }

  #look(table = processes()) {
    const parents = new Set([this.root]);
    // A group outlives its leader, and keeps the leader's pid from being given to anybody else while it does.
    const leaders = new Set([this.root]);
    for (const [key, member] of this.#members) {
      leaders.add(member.pid);
      const entry = table.get(key);
      if (!entry) continue;
      parents.add(member.pid);
      member.ticks = entry.ticks;
    }
    const belongs = ({ parent, group, session }) => parents.has(parent) || leaders.has(group) || leaders.has(session);
    for (let grown = true; grown;) {
      grown = false;
      for (const [key, entry] of table) {
        if (this.#members.has(key) || entry.pid === process.pid) continue;
        if (!belongs(entry) && !this.#isMarked(key, entry)) continue;
        const command = commandOf(entry.pid) ?? 'a process that has ended';
        this.#members.set(key, { pid: entry.pid, command, ticks: entry.ticks });
        parents.add(entry.pid);
        leaders.add(entry.pid);
        grown = true;
      }
    }
    return table;
  }

  /** An environment is fixed at the start of a program, so one look per process is enough. */
  #isMarked(key, { pid }) {
    if (!this.#mark || this.#seen.has(key)) return false;
    this.#seen.add(key);
    return read(`/proc/${pid}/environ`).split('\0').includes(this.#mark);
  }
}

/** Linux counts in these wherever a program reads it, whatever its kernel does. */
const TICKS_PER_SECOND = 100;

/** Signals a process or, with a negative number, a group; one that is gone already is no error. */
export function signal(pid, name) {
  try {
    // Windows has no groups: of one, its first process is ended.
    process.kill(process.platform === 'win32' ? Math.abs(pid) : pid, name);
  } catch {
    // Gone.
  }
}

let last = { at: -Infinity, table: new Map() };

/** The last table, where it isn't older than this: a run follows several trees at once. */
function recentProcesses(ageMs) {
  const now = performance.now();
  if (now - last.at > ageMs) last = { at: now, table: processes() };
  return last.table;
}

function processes() {
  const table = new Map();
  if (process.platform !== 'linux') return table;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!pid) continue;
    const stat = read(`/proc/${pid}/stat`);
    // proc(5): the second field is the command in parentheses and may itself hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    if (stat && state !== 'Z') {
      table.set(`${pid}:${fields[19]}`, {
        pid,
        parent: Number(parent),
        group: Number(group),
        session: Number(session),
        ticks: Number(fields[11]) + Number(fields[12]),
      });
    }
  }
  return table;
}

/** Undefined when it has ended. */
function commandOf(pid) {
  const text = read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim();
  if (text) return text.slice(0, 200);
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
