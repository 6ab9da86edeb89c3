import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aptUpdate } from './install.mjs';
import { cacheDir } from './paths.mjs';
import { onPath, run, say } from './run.mjs';

/** Letters of Japanese and Chinese in one file (Apache 2.0): 1.8 MB, where Noto's are 57 MB. Each is one em wide, as in every font for them. */
const PACKAGE = 'fonts-droid-fallback';

/**
 * A font for Japanese and Chinese, for programs with the environment that this gives: it is unpacked into `.cache`, and not installed, so
 * that other runs look the same on every machine.
 * @returns {Promise<Record<string, string>>} nothing where the system is none of Debian's: it may have such a font of its own
 */
export async function cjkFontEnvironment() {
  const folder = join(cacheDir, 'fonts');
  const config = join(folder, 'fonts.conf');
  if (!existsSync(config)) {
    if (!onPath('apt-get') || !onPath('dpkg-deb')) return {};
    mkdirSync(folder, { recursive: true });
    say(`waiting for apt-get download ${PACKAGE} …`);
    const download = () => run('apt-get', ['download', PACKAGE], { cwd: folder });
    await download().catch(async () => {
      await aptUpdate();
      await download();
    });
    const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
    await run('dpkg-deb', ['-x', archive, 'unpacked'], { cwd: folder });
    // Last: with it, all is there.
    writeFileSync(config, configOf(folder));
  }
  return { FONTCONFIG_FILE: config };
}

/** The machine's fonts, and those of the folder. */
function configOf(folder) {
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    '  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    `  <dir>${join(folder, 'unpacked', 'usr', 'share', 'fonts')}</dir>`,
    `  <cachedir>${join(folder, 'cache')}</cachedir>`,
    '</fontconfig>',
    '',
  ].join('\n');
}
