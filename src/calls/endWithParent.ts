// For the processes of ours alone.
import { Worker } from 'node:worker_threads';

/**
 * Looks once a second whether the parent is there: one that has another parent, or whose parent takes no signal (on Windows, where it
 * keeps its number), has lost it. A text, since it runs in a thread whatever the bundler makes of functions.
 */
const WATCH = `
const { workerData: parent } = require('node:worker_threads');
const takesSignals = () => {
  try {
    return process.kill(parent, 0);
  } catch {
    return false;
  }
};
setInterval(() => {
  if (process.ppid !== parent || !takesSignals()) process.kill(process.pid, 'SIGKILL');
}, 1000);
`;

/**
 * Ends this process when its parent is gone, also where it is busy without an end and sees no `disconnect`. It looks again and again,
 * which nothing in the extension host does: it is for a process that lives as long as its work, and only a thread can end that.
 */
export function endWithParent(): void {
  new Worker(WATCH, { eval: true, workerData: process.ppid }).unref();
}
