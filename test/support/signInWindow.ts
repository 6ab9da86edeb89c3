// `node signInWindow.ts FOLDER STATE SECRETS`: a window in a process of its own, on a folder whose server is signed in to.
// Prints `ready`; then takes lines of input and prints what came of each: `go` makes ten calls at once and gives what they
// answered, `state` gives the server's, `sign-in` signs in and gives the account.
import { createInterface } from 'node:readline';
import { FileSecrets, SignInRig } from './signInRig.ts';

const RUNS: Readonly<Record<string, () => Promise<unknown>>> = {
  go: () => Promise.all(Array.from({ length: 10 }, () => rig.call().catch(String))),
  state: async () => rig.state,
  'sign-in': async () => (await rig.signIn()).label,
};

const [, , folder = '', stateDir = '', secrets = ''] = process.argv;
const rig = new SignInRig({ folder, stateDir, secrets: new FileSecrets(secrets) });
await rig.test.host.start();
await rig.approve();
console.log(`ready ${rig.state}`);
for await (const line of createInterface({ input: process.stdin })) {
  const run = RUNS[line];
  if (run) console.log(JSON.stringify(await run().catch(String)));
}
await rig.close();
process.exit(0);
