// npm run -s bench -- tree
//
// The view *Servers* in a real editor with 500 servers and 10,000 tools: until it is drawn, to its end, and a server's tools; and the
// longest time that the window is held up by each, as the window's own Long Tasks tell it (0: none of 50 ms).
import { report } from './connection/report.ts';
import { measureBigTree } from './editor/bigTree.ts';

const { opened, scrolled, expanded } = await measureBigTree();
report(
  'tree',
  {
    openedMs: opened.drawnMs,
    openedLongestTaskMs: opened.longestTaskMs,
    scrolledMs: scrolled.drawnMs,
    scrolledLongestTaskMs: scrolled.longestTaskMs,
    expandedMs: expanded.drawnMs,
    expandedLongestTaskMs: expanded.longestTaskMs,
  },
  { openedMs: '<= 1000', openedLongestTaskMs: '<= 200', expandedLongestTaskMs: '<= 200' },
);
process.exit(0);
