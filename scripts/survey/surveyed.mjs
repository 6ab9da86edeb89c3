// The servers that are surveyed, each with three calls. `says`: what the answer has to say; `needs`: what it needs beside
// the package registry, and then `says` is how the server says that it isn't there.
import { join } from 'node:path';

const chromium = '/usr/bin/chromium';
const page = 'data:text/html,<title>Survey</title><h1>Hello</h1>';
const npx = (...args) => ({ command: 'npx', args: ['-y', ...args] });

/** @param dir a folder for this server, with a git repository and some files in it */
export const surveyed = (dir) => ({
  'chrome-devtools': {
    ...npx(
      'chrome-devtools-mcp@1.11.0',
      '--headless',
      '--isolated',
      '--executablePath',
      chromium,
      '--chromeArg=--no-sandbox',
    ),
    calls: [
      ['new_page', { url: page }, /Survey|data:text/],
      ['list_pages', {}, /data:text\/html/],
      ['evaluate_script', { pageId: 2, function: '() => document.title' }, /Survey/],
    ],
  },
  playwright: {
    ...npx('@playwright/mcp@0.0.83', '--headless', '--isolated', '--no-sandbox', '--executable-path', chromium),
    calls: [
      ['browser_navigate', { url: page }, /Survey/],
      ['browser_evaluate', { function: '() => document.title' }, /Survey/],
      ['browser_snapshot', {}, /Hello/],
    ],
  },
  context7: {
    ...npx('@upstash/context7-mcp@4.1.1'),
    needs: 'network',
    calls: [
      ['resolve-library-id', { query: 'routing', libraryName: 'express' }, /./],
      ['query-docs', { libraryId: '/expressjs/express', query: 'routing' }, /./],
      ['resolve-library-id', { query: 'state', libraryName: 'react' }, /./],
    ],
  },
  mongodb: {
    ...npx('mongodb-mcp-server@3.0.4'),
    needs: 'database',
    calls: [
      ['list-connections', {}, /./],
      [
        'connect',
        { connectionString: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1000' },
        /connect|ECONNREFUSED|fail/i,
      ],
      ['list-databases', { connectionId: 'none' }, /connect/i],
    ],
  },
  notion: {
    ...npx('@notionhq/notion-mcp-server@2.5.2'),
    env: { NOTION_TOKEN: 'ntn_none' },
    needs: 'account',
    calls: [
      ['API-get-self', {}, /./],
      ['API-post-search', { query: 'survey' }, /./],
      ['API-get-users', {}, /./],
    ],
  },
  gitlab: {
    ...npx('@zereight/mcp-gitlab@2.1.64'),
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'none', GITLAB_API_URL: 'https://gitlab.com/api/v4' },
    needs: 'account',
    calls: [
      ['search_repositories', { search: 'mcp', per_page: 1 }, /./],
      ['get_project', { project_id: '1' }, /./],
      ['list_projects', { per_page: 1 }, /./],
    ],
  },
  azure: {
    ...npx('@azure/mcp@2.0.5', 'server', 'start'),
    needs: 'account',
    calls: [
      ['get_azure_bestpractices', { intent: 'learn what there is', learn: true }, /command|tool/i],
      ['bicepschema', { intent: 'learn what there is', learn: true }, /command|tool/i],
      ['subscription_list', {}, /credential|auth|sign|login/i],
    ],
  },
  salesforce: {
    ...npx('@salesforce/mcp@0.30.15', '--orgs', 'DEFAULT_TARGET_ORG', '--toolsets', 'all', '--no-telemetry'),
    needs: 'account',
    calls: [
      ['get_mobile_lwc_offline_guidance', {}, /./],
      ['create_mobile_lwc_calendar', {}, /calendar/i],
      ['list_all_orgs', { directory: dir }, /./],
    ],
  },
  chart: {
    ...npx('@antv/mcp-server-chart@0.9.10'),
    needs: 'network',
    calls: [
      [
        'generate_line_chart',
        {
          data: [
            { time: '2025', value: 1 },
            { time: '2026', value: 2 },
          ],
        },
        /./,
      ],
      ['generate_pie_chart', { data: [{ category: 'a', value: 1 }] }, /./],
      [
        'generate_flow_diagram',
        { data: { nodes: [{ name: 'a' }, { name: 'b' }], edges: [{ source: 'a', target: 'b' }] } },
        /./,
      ],
    ],
  },
  sqlite: {
    ...npx('mcp-sqlite@1.0.9', join(dir, 'survey.db')),
    calls: [
      ['query', { sql: 'create table notes (id integer primary key, text text)' }, /./],
      ['create_record', { table: 'notes', data: { text: 'hello' } }, /./],
      ['read_records', { table: 'notes' }, /hello/],
    ],
  },
  git: {
    ...npx('@cyanheads/git-mcp-server@2.15.3'),
    env: { MCP_TRANSPORT_TYPE: 'stdio', LOGS_DIR: join(dir, 'logs') },
    calls: [
      ['git_set_working_dir', { path: dir }, /./],
      ['git_status', { path: dir }, /branch|clean/i],
      ['git_log', { path: dir }, /first commit/],
    ],
  },
  shell: {
    ...npx('@mako10k/mcp-shell-server@2.7.1'),
    calls: [
      ['shell_set_default_workdir', { working_directory: dir }, /./],
      ['terminal_list', {}, /./],
      ['list_execution_outputs', {}, /./],
    ],
  },
  eslint: {
    ...npx('@eslint/mcp@0.3.13'),
    calls: [
      ['lint-files', { filePaths: [join(dir, 'good.js')] }, /good\.js/],
      ['lint-files', { filePaths: [join(dir, 'bad.js')] }, /no-undef|no-unused/],
      ['lint-files', { filePaths: [join(dir, 'good.js'), join(dir, 'bad.js')] }, /bad\.js/],
    ],
  },
  shadcn: {
    ...npx('shadcn@4.23.0', 'mcp'),
    calls: [
      ['get_audit_checklist', {}, /checklist/i],
      ['get_add_command_for_items', { items: ['@shadcn/button'] }, /button/],
      ['get_project_registries', {}, /./],
    ],
  },
  angular: {
    ...npx('@angular/cli@22.2.7', 'mcp'),
    env: { NG_CLI_ANALYTICS: 'false' },
    calls: [
      ['get_best_practices', {}, /component/i],
      ['ai_tutor', {}, /angular/i],
      ['list_projects', {}, /./],
    ],
  },
  kubb: {
    ...npx('@kubb/mcp@5.2.0'),
    calls: [
      ['validate', { input: join(dir, 'openapi.json') }, /./],
      ['init', { input: join(dir, 'openapi.json'), output: join(dir, 'gen') }, /./],
      ['validate', { input: join(dir, 'none.json') }, /./],
    ],
  },
  'desktop-commander': {
    ...npx('@wonderwhy-er/desktop-commander@0.2.52'),
    calls: [
      ['get_config', {}, /version|command/i],
      ['list_directory', { path: dir }, /good\.js/],
      ['read_file', { path: join(dir, 'good.js') }, /answer/],
    ],
  },
  repomix: {
    ...npx('repomix@1.18.1', '--mcp'),
    calls: [
      ['pack_codebase', { directory: dir }, /outputId|good\.js/],
      ['attach_packed_output', { path: join(dir, 'packed.xml') }, /./],
      ['grep_repomix_output', { outputId: 'none', pattern: 'x' }, /not found|Error/i],
    ],
  },
  calc: {
    ...npx('@coo-quack/calc-mcp@2.1.1'),
    calls: [
      ['math', { expression: '6 * 7' }, /42/],
      ['hash', { input: 'a', algorithm: 'sha256' }, /ca978112/],
      ['base', { value: '255', from: 10, to: 16 }, /ff/i],
    ],
  },
  'knowledge-graph': {
    ...npx('@itseasy21/mcp-knowledge-graph@1.0.7', '--memory-path', join(dir, 'memory.jsonl')),
    calls: [
      ['create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes'] }] }, /Ada/],
      ['search_nodes', { query: 'Ada' }, /writes/],
      ['read_graph', {}, /person/],
    ],
  },
});
