// npm run screenshots: opens the real editor with the demo's servers and takes pictures of what MCP Switchboard shows, in dark, light and
// high contrast, into out/pictures. Those that the README and the walkthrough show are written to media/, too: commit
// them where they changed to the eye.
import { AgentWindow } from '../test/support/agentWindow.ts';
import { build } from './lib/build.mjs';
import { THEMES, takePictures } from './lib/take-pictures.mjs';

await build();
const window = await AgentWindow.open({ settings: { 'workbench.colorTheme': THEMES.dark } });
try {
  await takePictures(window);
} catch (error) {
  await window.screenshot('failed-screenshots');
  throw error;
} finally {
  await window.close();
}
process.exit();
