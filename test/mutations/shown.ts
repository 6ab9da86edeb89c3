import type { Rows } from './edit.ts';

/** What questions show. */
export const shown: Rows = {
  // Each text of a definition, and each line as a whole.
  'Line breaks in a definition forge lines of its approval, or push others away': [
    ['src/servers/trust/summary/launchSummary.ts', '].map(oneLine);', '];'],
    ['src/servers/trust/summary/quotedText.ts', '? oneLine(JSON.stringify(text)) : oneLine(text)', '? text : text'],
  ],
  'A title ends the quotes around it, or pushes the server’s name out of sight': [
    ['src/bridge/text/safeText.ts', ".replaceAll(/[“-‟«»「」]/g, '\"')", ''],
  ],
  'A title that the editor renders where a tool runs': [
    ['src/bridge/gateway/listedTools.ts', "audience === 'editor' ? unrendered(title) : title", 'title'],
  ],
  'The end of an argument is out of sight in the list that asks': [
    [
      'src/bridge/dialogs/dialogLines.ts',
      'return lines.flatMap((line) => wrapped(line, LINE_LENGTH));',
      'return lines;',
    ],
  ],
  'A text in a server’s question forges rows of it': [
    [
      'src/bridge/dialogs/dialogLines.ts',
      'lines.push(...wrapped(plainText(text.slice(0, room)), length))',
      'lines.push(...inLines(plainText(text.slice(0, room)), length))',
    ],
  ],
  'A server’s question in a call hides where a link leads': [
    ['src/bridge/text/markdownText.ts', "text.split(/\\r?\\n/).map(linkless).join('\\n')", 'text'],
  ],
  'A name in Problems forges lines': [['src/ui/files/problemText.ts', 'return oneLine(', 'return String(']],
  'A name draws an icon in a list': [
    ['src/ui/calls/showCallHistory.ts', '${plainText(entry.tool)}', '${showInvisible(entry.tool)}'],
  ],
  'A name with blanks that aren’t seen, beside the same name without them': [
    ['src/servers/trust/lookAlikeNames.ts', ' || UNSEEN_BLANKS.test(name)', ''],
  ],
  'Blanks push the end of a line out of sight': [
    ['src/base/text/showInvisible.ts', 'return line.replace(BLANKS, (blanks) =>', 'return line.replace(/^$/, (blanks) =>'],
  ],
  'The name of a server forges lines, or hides what it is': [
    [
      'src/servers/merge/mergeServers.ts',
      'name: oneLine(displayNames.get(id) ?? entry.name),',
      'name: displayNames.get(id) ?? entry.name,',
    ],
  ],
  'A value that runs something is covered for its name': [
    [
      'src/servers/trust/summary/launchSummary.ts',
      '].map(oneLine);',
      '].map((line) => oneLine(writtenSecrets(transport).mask(line)));',
    ],
  ],
  'The end of a long command is out of sight': [
    [
      'src/bridge/dialogs/dialogLines.ts',
      "inLines(rest.join(''), length - INDENT.length)",
      "inLines(rest.join(''), length - INDENT.length).slice(0, 3)",
    ],
  ],
  'Wide letters push the end of a line out of sight, or let the editor break it': [
    ['src/bridge/dialogs/dialogLines.ts', 'WIDTHS.find(([of]) => of.test(character))?.[1] ?? WIDE', 'character.length'],
  ],
  'Marks that are stacked on a letter cover what is around them': [
    [
      'src/base/text/showInvisible.ts',
      ".replace(STACKED_MARKS, (_, drawn: string, rest: string) => drawn + Array.from(rest, codeOf).join(''))",
      '',
    ],
  ],
  'A name or an error is a link in a notification, and runs a command': [
    ['src/bridge/text/safeText.ts', "text.replaceAll('](', ']\\u200a(')", 'text'],
  ],
  'The matcher of a hook reads as its command': [
    [
      'src/calls/hooks/hookText.ts',
      "/^[\\w|*.-]*$/.test(matcher) ? matcher || '*' : oneLine(JSON.stringify(matcher))",
      "matcher || '*'",
    ],
  ],
  'A link to a command in a text that is opened in the editor': [
    ['src/base/text/inertText.ts', "return text.replaceAll(COMMAND, '$& ');", 'return text;'],
  ],
  'The end of a long argument is out of sight': [
    ['src/calls/arguments/argumentText.ts', 'return argumentText(args) !== wholeArgumentText(args);', 'return false;'],
  ],
  'An order in characters that nobody sees, in what a server lists': [
    [
      'src/base/text/modelText.ts',
      'return hidesSomething(text) ? exceptJoiners(text, withoutUnseen) : text;',
      'return text;',
    ],
  ],
  'Selectors, joiners and fillers that carry data': [
    [
      'src/base/text/showInvisible.ts',
      "const INVISIBLE = new RegExp(`${HIDDEN}|\\\\r|${SELECTORS}`, 'gu');",
      "const INVISIBLE = new RegExp(`${HIDDEN}|\\\\r`, 'gu');",
    ],
  ],
  // Where the definition is read, and where the server starts.
  'A backslash or user-info in an address names another host': [
    [
      'src/config/read/transport/addressFault.ts',
      "const [address = ''] = url",
      "if (url !== '') return undefined;\n  const [address = ''] = url",
    ],
  ],
  'A host in letters that look like others': [
    [
      'src/servers/trust/summary/addressReceiver.ts',
      "if (reads === '' || reads === hostname) return {};",
      'return {};',
    ],
  ],
  'A variable completes the host that is shown': [
    ['src/servers/trust/summary/addressReceiver.ts', 'host: restored(host)', "host: host.replace('zvz', '')"],
  ],
  'A variable that only Windows knows': [
    ['src/servers/trust/summary/launchSummary.ts', "percent: platform === 'win32' &&", 'percent: false &&'],
  ],
  'An approval hides or renames a server of the user’s': [
    ['src/host/approvalConsequences.ts', '...changesOfOthers(facts), ', ''],
  ],
  'An approval brings rules, trust or permissions of the user’s into effect': [
    ['src/host/approvalConsequences.ts', ', ...rulesOf(facts), ...trustOf(facts), ...grantsOf(facts)', ''],
  ],
};
