import type { Page } from 'playwright-core';

/** Everything that the editor keeps in the browser, as one text: its own state and that of every workspace. */
export async function keptByEditor(page: Page): Promise<string> {
  // A text, since the tests have no types of a browser.
  return page.evaluate<string>(`(async () => {
    const done = (request) =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const texts = Object.values(localStorage);
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const values = await done(database.transaction(store).objectStore(store).getAll());
        for (const value of values)
          texts.push(value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value) ?? '');
      }
      database.close();
    }
    return texts.join('\\n');
  })()`);
}
