import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join, posix, sep } from 'node:path';
import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';
import { root } from './paths.mjs';

const REPOSITORY = 'https://github.com/mcp-switchboard/mcp-switchboard/blob/main/';

/** The pages by what their readers want. A page of docs/ that isn't named stands under the last title. */
const SECTIONS = {
  'Start': ['README.md', 'docs/start-here.md', 'docs/features.md', 'docs/add-a-server.md', 'docs/sign-in.md', 'docs/permissions.md', 'docs/gateway.md', 'docs/troubleshooting.md'], // prettier-ignore
  'Use': ['docs/configuration.md', 'docs/trust.md', 'docs/servers-view.md', 'docs/pages.md', 'docs/search.md', 'docs/scripts.md', 'docs/sessions.md', 'docs/apps.md', 'docs/participant.md', 'docs/resources.md', 'docs/questions.md', 'docs/registry.md', 'docs/editing-files.md'], // prettier-ignore
  'For others': ['docs/organizations.md', 'docs/api.md', 'docs/server-authors.md', 'docs/compared.md', 'docs/architecture.md', 'CONTRIBUTING.md'], // prettier-ignore
  Papers: ['CHANGELOG.md', 'SECURITY.md', 'PRIVACY.md', 'SUPPORT.md', 'CODE_OF_CONDUCT.md'],
  Details: [],
};

/**
 * The documents as pages of a site: their HTML, with links among them, and what the search finds in them.
 * @param {string} folder that the documents are in
 * @returns the pages, under their titles, the images they show, and what of their links and images leads nowhere
 */
export function readSite(folder = root) {
  const named = new Set(Object.values(SECTIONS).flat());
  const docs = readdirSync(join(folder, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`).filter((file) => isThere(folder, file)); // prettier-ignore
  const sources = Object.entries(SECTIONS).map(([title, files]) => [
    title,
    title === 'Details' ? docs.filter((file) => !named.has(file)).sort() : files.filter((file) => existsSync(join(folder, file))), // prettier-ignore
  ]);
  const fileOf = new Map(sources.flatMap(([, files]) => files.map((file) => [file, siteFile(file)])));
  const links = [];
  const site = { folder, fileOf, images: new Set(), links, broken: [] };
  const sections = sources.map(([title, files]) => [title, files.map((file) => readPage(file, site))]);
  const pages = sections.flatMap(([, each]) => each);
  const anchors = new Map(pages.map((page) => [page.file, page.anchors]));
  const broken = links
    .filter(({ target, anchor }) => anchor !== undefined && !anchors.get(target)?.has(anchor))
    .map(({ from, target, anchor }) => `${from}: ${target}#${anchor}`);
  return { pages, sections, images: [...site.images], broken: [...site.broken, ...broken] };
}

/** Names that don't tell their letters' case apart, as on macOS and Windows: docs/security.md isn't SECURITY.md. */
function siteFile(file) {
  if (file === 'README.md') return 'index.html';
  const name = `${basename(file, '.md').toLowerCase()}.html`;
  return file.startsWith('docs/') ? name : `about-${name}`;
}

function readPage(source, site) {
  const { folder, fileOf } = site;
  const slugger = new GithubSlugger();
  const file = fileOf.get(source);
  const markdown = new MarkdownIt({ html: false });
  const tokens = markdown.parse(readFileSync(join(folder, source), 'utf8'), {});
  const anchors = new Set();
  const entries = [];
  let title = source;
  tokens.forEach((token, at) => {
    const text = tokens[at + 1]?.children?.map(({ content }) => content).join('') ?? '';
    // A style within the page would need a policy that allows any.
    const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? [];
    if (side !== undefined) token.attrs = [['class', side]];
    if (token.type === 'heading_open') {
      const id = slugger.slug(text);
      token.attrSet('id', id);
      anchors.add(id);
      if (token.tag === 'h1') title = text;
      entries.push({ id: `${file}#${id}`, page: title, title: text, text: '' });
    } else if (token.type === 'inline' && entries.length > 0) {
      entries.at(-1).text += `${token.children.map(({ content }) => content).join(' ')} `;
    }
    for (const [place, child] of (token.children ?? []).entries()) {
      for (const name of ['href', 'src']) {
        const value = child.attrGet(name);
        if (value === null) continue;
        if (name === 'href' && /^(?:https?|mailto):/i.test(value)) continue;
        child.attrSet(name, linkOf(source, value, file, { ...site, isImage: name === 'src' }));
        const text = token.children[place + 1];
        const [target] = targetOf(source, value);
        if (/^[\w/.-]+\.md$/.test(text?.content ?? '') && fileOf.has(target)) text.content = titleOf(folder, target);
      }
    }
  });
  return { source, file, title, html: markdown.renderer.render(tokens, markdown.options, {}), anchors, entries };
}

/** The first heading of a document, without its marks. */
function titleOf(folder, source) {
  const [, title = source] = /^# (.*)$/m.exec(readFileSync(join(folder, source), 'utf8')) ?? [];
  return title.replaceAll(/[`*]/g, '');
}

/** Where a link of a document leads on the site: to a page, an image of it, or a file of the repository. What leads nowhere leads to the page itself. */
function linkOf(source, link, file, { folder, fileOf, images, links, broken, isImage }) {
  const [target, anchor] = targetOf(source, link);
  const page = isImage ? undefined : fileOf.get(target);
  if (page !== undefined) {
    links.push({ from: source, target: page, anchor });
    return (page === file && anchor !== undefined ? '' : page) + (anchor === undefined ? '' : `#${anchor}`);
  }
  if (!isThere(folder, target) || (isImage && !IMAGE.test(target))) {
    broken.push(`${source}: ${link}`);
    return '#';
  }
  if (IMAGE.test(target)) {
    images.add(target);
    return encodeURI(target);
  }
  return REPOSITORY + encodeURI(target) + (anchor === undefined ? '' : `#${anchor}`);
}

/** Pictures that the site takes over. */
const IMAGE = /^(?:docs|media)\/.*\.(?:png|gif|svg|webp)$/;

/** A link's path from the folder of the documents and its heading; no path where it can't be read. */
function targetOf(source, link) {
  try {
    const [path, anchor] = decodeURI(link).split('#');
    return [path === '' ? source : posix.join(posix.dirname(source), path), anchor];
  } catch {
    return [undefined, undefined];
  }
}

/** Whether a path is there and within the folder, links of the file system followed. `\` is a separator on Windows alone, so no path has one. */
function isThere(folder, target) {
  if (target === undefined || target.includes('\\') || target.includes('\0')) return false;
  try {
    const [inner, outer] = [realpathSync(join(folder, target)), realpathSync(folder)];
    return inner === outer || inner.startsWith(outer + sep);
  } catch {
    return false;
  }
}
