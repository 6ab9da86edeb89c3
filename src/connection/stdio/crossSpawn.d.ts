/** `cross-spawn` ships no types: the one function that is used here. */
declare module 'cross-spawn' {
  import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio } from 'node:child_process';

  function spawn(
    command: string,
    args: readonly string[],
    options: SpawnOptionsWithoutStdio,
  ): ChildProcessWithoutNullStreams;
  export default spawn;
}
