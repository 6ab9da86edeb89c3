import { strict as assert } from 'node:assert';
import { lacksDisplay } from '../../../scripts/lib/virtual-display.mjs';

describe('a desktop editor', () => {
  it('gets a display of its own where there is none: on Linux, as on machines of CI', () => {
    assert.equal(lacksDisplay('linux', {}), true);
    assert.equal(lacksDisplay('linux', { DISPLAY: '' }), true);
    assert.equal(lacksDisplay('linux', { DISPLAY: ':0' }), false);
    assert.equal(lacksDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' }), false);
    assert.equal(lacksDisplay('darwin', {}), false);
    assert.equal(lacksDisplay('win32', {}), false);
  });
});
