// `node signInWindow.ts FOLDER STATE SECRETS`: a window in a process of its own, on a folder whose server is signed in to.
// Prints `ready`; for each line of input it makes ten calls at once and prints what they answered.
import { createInterface } from 'node:readline';
import { FileSecrets, SignInRig } from './signInRig.ts';

const [, , folder = '', stateDir = '', secrets = ''] = process.argv;
const rig = new SignInRig({ folder, stateDir, secrets: new FileSecrets(secrets) });
await rig.test.host.start();
await rig.approve();
console.log(`ready ${rig.state}`);
for await (const _line of createInterface({ input: process.stdin })) {
  const answers = await Promise.all(Array.from({ length: 10 }, () => rig.call().catch(String)));
  console.log(JSON.stringify(answers));
}
await rig.close();
process.exit(0);
