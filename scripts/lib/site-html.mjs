/** docs/search.md is another page. */
export const SEARCH = 'find.html';

/** Nothing of elsewhere, nothing in the page itself; scripts where there are some. It says nothing of who frames a page: only a header could. */
const policy = (hasScripts) =>
  `default-src 'none'; ${hasScripts ? `script-src 'self'; ` : ''}style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'`;

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replaceAll(/[&<>"]/g, (each) => ESCAPES[each]);

/** A page of the site. Needs no script, but for the search. */
export function pageHtml(page, sections) {
  return frame(page.title, page.file, sections, page.html);
}

/** The page of the search: the words stand in its address (`?q=`). */
export function searchHtml(sections) {
  const scripts = ['minisearch.js', 'search-index.js', 'search.js'].map((file) => `<script src="${file}"></script>`);
  const body = `<h1>Search</h1>\n<p id="count" role="status">Type words in the box.</p>\n<ol id="found"></ol>\n${scripts.join('\n')}`;
  return frame('Search', SEARCH, sections, body, true);
}

function frame(title, file, sections, body, hasScripts = false) {
  const groups = sections.map(([name, pages]) => {
    const rows = pages.map((page) => {
      const current = page.file === file ? ' aria-current="page"' : '';
      return `<li><a href="${page.file}"${current}>${escaped(page.title)}</a></li>`;
    });
    return `<h2>${escaped(name)}</h2>\n<ul>\n${rows.join('\n')}\n</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(hasScripts)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · MCP Switchboard</title>
<link rel="stylesheet" href="site.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a href="index.html">MCP Switchboard</a>
<form action="${SEARCH}" role="search"><input name="q" type="search" aria-label="Search the documents" placeholder="Search"></form>
</header>
<nav aria-label="Pages">
${groups.join('\n')}
</nav>
<main id="content">
${body}
</main>
</body>
</html>
`;
}
