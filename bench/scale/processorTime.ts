/** Milliseconds of processor time of this process since `before`. */
export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Finds the longest piece of work between two turns of the event loop, in milliseconds of this thread's time. */
export function watchSlices(): { stop(): number } {
  let longest = 0;
  let on = true;
  let last = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    if (!on) return;
    last = process.threadCpuUsage();
    setImmediate(look);
  };
  setImmediate(look);
  return {
    stop: () => {
      on = false;
      // What ran since the last turn.
      look();
      return longest;
    },
  };
}
