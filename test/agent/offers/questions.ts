import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';
import { sendChat } from '../../../scripts/lib/browser.mjs';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { clickAction, pane } from '../../support/viewRows.ts';

export function questions(useWindow: UseSharedWindow): void {
  describe('servers’ questions', () => {
    let window: AgentWindow;
    const input = (): Locator => window.page.locator('.quick-input-widget');
    const press = (key: string): Promise<void> => window.pressInBox(key);
    /** Has the agent call a tool of the server; questions come up meanwhile. */
    const call = (tool: string, args: object = {}, ...more: Step[]): Promise<void> =>
      window.send(callTool(`offers__${tool}`, args), ...more);

    /** The participant stays in the input for the next message. */
    const emptyInput = async (): Promise<void> => {
      await window.page.locator('.interactive-session .interactive-input-part .monaco-editor').first().click();
      await window.page.keyboard.press('Control+A');
      await window.page.keyboard.press('Delete');
    };

    useWindow({}, (opened) => {
      window = opened;
    });

    describe('an address to open', () => {
      const SIGN_IN = 'https://xn--pple-43d.com:8443/sign-in?redirect=https%3A%2F%2Fa.example%2F%26b&state=1';

      it('is shown whole, with its host apart and what is odd about it; declined, nothing opens', async () => {
        await call('visit', { url: SIGN_IN });
        await window.pickRow('Decline').waitFor();
        const text = await input().innerText();
        // In lines, so that nothing is cut.
        const whole = text.replaceAll(/\s|Address|Warnings/g, '');
        for (const part of [
          '“offers” wants to open a web page',
          'Open xn--pple-43d.com:8443 in the Browser',
          'аpple.com',
          'may imitate another',
          'The port is unusual',
        ])
          assert.ok(whole.includes(part.replaceAll(' ', '')), `${part} in ${text}`);
        assert.ok(whole.includes(SIGN_IN), text);
        await window.screenshot('address-question');
        // Enter does no harm.
        await press('Enter');
        assert.equal(await window.result(), 'visit: decline');
      });

      it('closed, it is cancelled', async () => {
        await call('visit', { url: SIGN_IN });
        await window.pickRow('Decline').waitFor();
        await press('Escape');
        assert.equal(await window.result(), 'visit: cancel');
      });

      it('what is no address of the web is refused without a question', async () => {
        await call('visit', { url: 'file:///etc/passwd' });
        assert.equal(await window.result(), 'visit: decline');
      });

      it('opened, it is opened as it was, and the wait for it is shown until the server says that it is done', async () => {
        await call('visit', { url: SIGN_IN });
        await window.pickRow('Open xn--pple-43d.com').click();
        const context = window.page.context();
        const asked = context.waitForEvent('request', { predicate: (request) => request.url().includes('sign-in') });
        const opened = context.waitForEvent('page');
        await window.dialogButton('Open').click();
        const [request, popup] = await Promise.all([asked, opened]);
        const waiting = window.page.locator('.notification-toast', {
          hasText: 'is waiting for you to finish at xn--pple',
        });
        await waiting.waitFor();
        await window.screenshot('address-waiting');
        assert.equal(request.url(), SIGN_IN);
        await popup.close();
        assert.equal(await window.result(), 'visit: accept');
        await waiting.waitFor({ state: 'detached' });
      });

      it('that a call needs is asked for, and the model is told to call again', async () => {
        await call('visit', { url: SIGN_IN, required: true });
        await window.pickRow('Decline').click();
        assert.match(await window.result(), /needs a page in the browser that the user didn't open/);
      });
    });

    describe('a yes or no', () => {
      const card = async (): Promise<string> => {
        await window.cardButton('Yes').waitFor();
        return window.page.locator('.interactive-session').innerText();
      };

      it('is answered in the chat that the call came from, with the server named and its text as text', async () => {
        await call('confirm');
        const text = await card();
        for (const part of [
          '“offers” asks for information',
          'Is **this** right?',
          '[x](command:workbench.action.quit)',
          'Sure',
        ])
          assert.ok(text.includes(part), `${part} in ${text}`);
        await window.screenshot('question-card');
        // Its row in the view leads back to it.
        await window.showTree();
        const row = pane(window, 'Activity').locator('.monaco-list-row', { hasText: 'Is **this** right?' }).first();
        await clickAction(row, 'Show Question');
        await window.page.locator('.notification-toast', { hasText: '“offers” asks in the chat.' }).waitFor();
        await window.cardButton('Yes').click();
        assert.equal(await window.result(), 'confirm: accept {"sure":true}');
        await call('confirm');
        await card();
        await window.cardButton('No').click();
        assert.equal(await window.result(), 'confirm: accept {"sure":false}');
      });

      it('… and in the conversation with @mcp', async () => {
        window.script({ call: { name: 'mcp__offers__confirm', input: {} } }, { text: 'you were asked.' });
        await window.say('@mcp ask me ');
        assert.ok((await card()).includes('“offers” asks for information'));
        await window.screenshot('question-card-participant');
        await window.cardButton('Yes').click();
        const { results } = await window.turnEnded('you were asked.');
        assert.equal(results[0]?.text, 'confirm: accept {"sure":true}');
        await emptyInput();
      });

      it('where an address is asked about in the editor, the conversation with @mcp says so', async () => {
        const url = 'https://example.com/sign-in';
        window.script({ call: { name: 'mcp__offers__visit', input: { url } } }, { text: 'that was the visit.' });
        await window.say('@mcp visit ');
        await window.pickRow('Decline').waitFor();
        await window.page.locator('.interactive-session').getByText('the server asks for information').last().waitFor();
        await window.screenshot('question-elsewhere-participant');
        await window.pickRow('Decline').click();
        const { results } = await window.turnEnded('that was the visit.');
        assert.equal(results[0]?.text, 'visit: decline');
        await emptyInput();
      });

      it('that the call is stopped during is closed', async () => {
        await call('confirm');
        await card();
        await window.page.locator('.interactive-session [aria-label^="Cancel"]:visible').first().click();
        await window.cardButton('Yes').waitFor({ state: 'hidden' });
      });
    });

    describe('a form', () => {
      it('checks each field, goes back, and comes back whole', async () => {
        await call('form');
        await window.cardButton('Answer…').click();
        await input().getByText('offers asks: Mail * (1/5)').waitFor();
        await window.fillBox('nobody');
        await press('Enter');
        await input().getByText('Enter a valid email address.').waitFor();
        await window.fillBox('nobody@example.com');
        await press('Enter');
        await input().getByText('Age (2/5)').waitFor();
        await window.fillBox('17');
        await input().getByText('Enter 18 or more.').waitFor();
        await window.fillBox('18');
        await press('Enter');
        await input().getByText('Size (3/5)').waitFor();
        await window.page.locator('.quick-input-titlebar .codicon-quick-input-back').click();
        await input().getByText('Age (2/5)').waitFor();
        await press('Enter');
        await input().getByText('Size (3/5)').waitFor();
        await press('Enter');
        await input().getByText('Colours * (4/5)').waitFor();
        await press('Enter');
        await input().getByText('Select 1 to 2 items.').waitFor();
        await window.pickRow('green').click();
        await window.pickRow('blue').click();
        await window.screenshot('form-choices');
        await press('Enter');
        await input().getByText('News (5/5)').waitFor();
        await press('Enter');
        assert.equal(
          await window.result(),
          'form: accept {"mail":"nobody@example.com","age":18,"size":"M","colours":["green","blue"],"news":true}',
        );
      });

      it('declined in the middle, it is declined; closed there, it is cancelled', async () => {
        await call('form');
        await window.cardButton('Answer…').click();
        await input().getByText('Mail * (1/5)').waitFor();
        await window.page.locator('.quick-input-titlebar .codicon-circle-slash').click();
        assert.equal(await window.result(), 'form: decline null');
        await call('form');
        await window.cardButton('Answer…').click();
        await input().getByText('Mail * (1/5)').waitFor();
        await press('Escape');
        assert.equal(await window.result(), 'form: cancel null');
      });
    });

    it('two at once come up one after the other', async () => {
      const ending = 'end of two questions.';
      const visit = { name: 'mcp__offers__visit', input: { url: 'https://a.example/' } };
      window.script({ calls: [{ name: 'mcp__offers__form', input: {} }, visit] }, { text: ending });
      await sendChat(window.page, '@mcp two questions ');
      // Both calls are on their way at once: either question may be the first.
      const form = window.pickRow('Answer…');
      const address = window.pickRow('don’t open it');
      await form.or(address).first().waitFor();
      const addressFirst = await address.isVisible();
      if (addressFirst) await press('Enter');
      await form.click();
      await input().getByText('Mail * (1/5)').waitFor();
      await window.fillBox('nobody');
      await press('Enter');
      // It is still the one that is answered.
      await input().getByText('Enter a valid email address.').waitFor();
      await press('Escape');
      if (!addressFirst) await address.waitFor().then(() => press('Enter'));
      const { results } = await window.turnEnded(ending);
      assert.deepEqual(
        results.map(({ text }) => text),
        ['form: cancel null', 'visit: decline'],
      );
    });
  });
}
