// The search of the site: sections of its pages, by words, their beginnings, and words with a letter off.
/* global MiniSearch */
const index = new MiniSearch({ fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'text'] });
index.addAll(window.searchEntries);
const words = new URLSearchParams(location.search).get('q') ?? '';
document.querySelector('input[name=q]').value = words;
if (words !== '') {
  const options = { prefix: true, fuzzy: 0.2, boost: { title: 3, page: 2 }, combineWith: 'AND' };
  const found = index.search(words, options).slice(0, 50);
  document.querySelector('#count').textContent = `${found.length} found`;
  for (const { id, page, title, text } of found) {
    const link = document.createElement('a');
    link.href = id;
    link.textContent = title === page ? page : `${page}: ${title}`;
    const row = document.createElement('li');
    row.append(link, document.createElement('br'), text.slice(0, 160));
    document.querySelector('#found').append(row);
  }
}
