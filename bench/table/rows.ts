import type { Goal } from '../connection/report.ts';

/** What a benchmark printed as its last line. */
export interface Report {
  readonly bench: string;
  readonly figures: Readonly<Record<string, number>>;
  readonly goals: Readonly<Record<string, Goal>>;
  readonly environment: Readonly<Record<string, string | number>>;
  /** The day on which it ran. */
  readonly day: string;
}

/** A line of the table: the figures of a benchmark by their names. */
export interface Row {
  readonly bench: string;
  readonly work: string;
  /** Ours, with its unit. */
  readonly ours: readonly [figure: string, unit: string];
  /** What it is compared with, and that one's figure. */
  readonly anchor?: readonly [what: string, figure: string];
  /** The figure that has the goal: mostly ours divided by the anchor's. */
  readonly ratio: string;
}

const SDK = 'bare SDK client';

/** The lines of the table, in its order. */
export const ROWS: readonly Row[] = [
  { bench: 'call', work: 'A call, time', ours: ['hostP50Us', 'µs'], anchor: [SDK, 'clientP50Us'], ratio: 'hostP50Ratio' }, // prettier-ignore
  { bench: 'call', work: 'A call, processor', ours: ['hostCpuUs', 'µs'], anchor: [SDK, 'clientCpuUs'], ratio: 'hostCpuRatio' }, // prettier-ignore
  { bench: 'parallel', work: '100 reading calls at once, 20 ms each', ours: ['hostMs', 'ms'], anchor: [SDK, 'clientMs'], ratio: 'ratio' }, // prettier-ignore
  { bench: 'parallel', work: '100 reading calls at once, answered at once', ours: ['instantHostMs', 'ms'], anchor: [SDK, 'instantClientMs'], ratio: 'instantRatio' }, // prettier-ignore
  { bench: 'parallel', work: 'The same, a session alone', ours: ['instantSessionMs', 'ms'], anchor: [SDK, 'instantClientMs'], ratio: 'instantSessionRatio' }, // prettier-ignore
  { bench: 'parallel', work: 'The same, a client by hand that checks nothing', ours: ['instantRawMs', 'ms'], anchor: [SDK, 'instantClientMs'], ratio: 'instantRawRatio' }, // prettier-ignore
  { bench: 'large', work: 'A result of 1 MB, processor', ours: ['hostCpuMs', 'ms'], anchor: ['session', 'sessionCpuMs'], ratio: 'hostRatio' }, // prettier-ignore
  { bench: 'large', work: 'The same, a session whose result is looked at and stored', ours: ['leastCpuMs', 'ms'], anchor: ['session', 'sessionCpuMs'], ratio: 'leastRatio' }, // prettier-ignore
  { bench: 'large', work: 'A structured result of 10 MB, processor', ours: ['structuredCpuMs', 'ms'], anchor: ['JSON.parse and JSON.stringify', 'rawCpuMs'], ratio: 'structuredRatio' }, // prettier-ignore
  { bench: 'large', work: 'The same, collected, read in one go, looked at and stored', ours: ['leastStructuredCpuMs', 'ms'], anchor: ['JSON.parse and JSON.stringify', 'rawCpuMs'], ratio: 'leastStructuredRatio' }, // prettier-ignore
  { bench: 'large', work: 'The same, longest slice', ours: ['structuredSliceMs', 'ms'], ratio: 'structuredSliceMs' },
  { bench: 'lists', work: 'A list of 10,000 tools, longest slice', ours: ['sliceMs', 'ms'], anchor: [SDK, 'bareSliceMs'], ratio: 'sliceRatio' }, // prettier-ignore
  { bench: 'lists', work: 'A list of 20,000 tools, longest slice', ours: ['sliceOfTwiceMs', 'ms'], ratio: 'sliceOfTwiceMs' }, // prettier-ignore
  { bench: 'results', work: 'A page of a stored 50 MB result', ours: ['largePageMs', 'ms'], anchor: ['of 0.1 MB', 'smallPageMs'], ratio: 'pageRatio' }, // prettier-ignore
  { bench: 'results', work: 'Storing a result beside 5,000', ours: ['storeBeside5000Ms', 'ms'], anchor: ['beside none', 'storeMs'], ratio: 'storeBeside5000Ms' }, // prettier-ignore
  { bench: 'script', work: 'Twenty tasks with scripts, tokens of all requests', ours: ['scriptTokens', ''], anchor: ['call by call', 'plainTokens'], ratio: 'tokenRatio' }, // prettier-ignore
  { bench: 'script', work: 'The same, requests to the model', ours: ['scriptTurns', ''], anchor: ['call by call', 'plainTurns'], ratio: 'turnRatio' }, // prettier-ignore
  { bench: 'policy', work: 'A decision of the policy, p99 (500 rules, 2,000 grants)', ours: ['decisionP99Us', 'µs'], ratio: 'decisionP99Us' }, // prettier-ignore
  { bench: 'policy', work: 'What the pipeline adds to a call', ours: ['pipelineP50Ms', 'ms'], anchor: ['none', 'directP50Ms'], ratio: 'addedP50Ms' }, // prettier-ignore
  { bench: 'search', work: 'Indexing 10,000 tools, processor', ours: ['indexCpuMs @10000', 'ms'], ratio: 'indexCpuMs @10000' }, // prettier-ignore
  { bench: 'search', work: 'The same, longest slice', ours: ['longestSliceMs @10000', 'ms'], ratio: 'longestSliceMs @10000' }, // prettier-ignore
  { bench: 'search', work: 'A search of 10,000 tools, p99', ours: ['queryP99Ms @10000', 'ms'], ratio: 'queryP99Ms @10000' }, // prettier-ignore
  { bench: 'context', work: 'What stands before each conversation with 2,292 tools, tokens', ours: ['searchTokens', ''], anchor: ['64 native tools', 'nativeTokens'], ratio: 'headRatio' }, // prettier-ignore
  { bench: 'context', work: 'Ten calls of tools that are found, tokens of all requests', ours: ['tenCallsSearch', ''], anchor: ['64 native tools', 'tenCallsNative'], ratio: 'tenCallsRatio' }, // prettier-ignore
  { bench: 'context', work: 'The same, where the model’s provider has a cache', ours: ['tenCallsSearchCached', ''], anchor: ['64 native tools', 'tenCallsNativeCached'], ratio: 'cachedRatio' }, // prettier-ignore
  { bench: 'config', work: '500 servers in 20 files, cold, processor', ours: ['coldCpuMs', 'ms'], ratio: 'coldCpuMs' },
  { bench: 'config', work: '500 servers in 500 files, cold, processor', ours: ['manyFilesCpuMs', 'ms'], anchor: ['in 20 files', 'coldCpuMs'], ratio: 'manyFilesRatio' }, // prettier-ignore
  { bench: 'config', work: 'One entry of them changes, processor', ours: ['changeCpuMs', 'ms'], ratio: 'changeCpuMs' },
  { bench: 'ui', work: 'Completion in a file of 200 servers, processor', ours: ['completionCpuMs', 'ms'], ratio: 'completionCpuMs' }, // prettier-ignore
  { bench: 'ui', work: 'Problems after a keystroke in it, processor', ours: ['diagnosticsCpuMs', 'ms'], ratio: 'diagnosticsCpuMs' }, // prettier-ignore
  { bench: 'memory', work: '36 servers with 20 tools each, searched, heap', ours: ['serversMiB', 'MiB'], anchor: ['bare SDK clients', 'serversBareMiB'], ratio: 'searchedRatio' }, // prettier-ignore
  { bench: 'memory', work: 'Heap of an idle connection', ours: ['poolKiBPerConnection', 'KiB'], anchor: [SDK, 'bareKiBPerConnection'], ratio: 'differenceKiB' }, // prettier-ignore
  { bench: 'memory', work: 'Heap after 1,000 times connecting', ours: ['cyclesGrowthMiB', 'MiB'], ratio: 'cyclesGrowthMiB' }, // prettier-ignore
  { bench: 'idle', work: '36 connected servers, wake-ups in 10 s', ours: ['wakesPer10s', ''], ratio: 'wakesPer10s' },
  { bench: 'idle', work: '16 windows with 10 real servers each, processes', ours: ['computedProcesses', ''], ratio: 'computedProcesses' }, // prettier-ignore
  { bench: 'idle', work: 'The same, memory of the servers', ours: ['computedServersGiB', 'GiB'], ratio: 'computedServersGiB' }, // prettier-ignore
  { bench: 'clients', work: 'A call of 1 client of the gateway', ours: ['gatewayUs1', 'µs'], anchor: ['bare HTTP server', 'bareUs1'], ratio: 'ratio1' }, // prettier-ignore
  { bench: 'clients', work: 'A call of 50 clients of the gateway', ours: ['gatewayUs50', 'µs'], anchor: ['bare HTTP server', 'bareUs50'], ratio: 'ratio50' }, // prettier-ignore
  { bench: 'stop', work: 'Stopping 36 servers beside 300 processes', ours: ['stopMs', 'ms'], anchor: [SDK, 'bareMs'], ratio: 'ratio' }, // prettier-ignore
  { bench: 'stop', work: 'The same, longest slice', ours: ['sliceMs', 'ms'], ratio: 'sliceMs' },
  { bench: 'start', work: '10 real servers, until the first tools', ours: ['firstMs', 'ms'], anchor: ['bare loop', 'bareFirstMs'], ratio: 'firstRatio' }, // prettier-ignore
  { bench: 'start', work: 'The same, until all are ready', ours: ['allMs', 'ms'], anchor: ['bare loop', 'bareAllMs'], ratio: 'ratio' }, // prettier-ignore
  { bench: 'start', work: '12 real servers in the editor, until all are ready', ours: ['editorOursSeconds', 's'], anchor: ['the editor’s own MCP', 'editorBuiltInSeconds'], ratio: 'editorRatio' }, // prettier-ignore
  { bench: 'ui', work: 'First rows of 500 servers with 10,000 tools, processor', ours: ['treeFirstCpuMs', 'ms'], ratio: 'treeFirstCpuMs' }, // prettier-ignore
  { bench: 'ui', work: 'One of them changes its state', ours: ['treeChangeMs', 'ms'], ratio: 'treeChangeMs' },
  { bench: 'ring', work: 'A call with the last minutes kept, longer by', ours: ['ringP50Percent', '%'], ratio: 'ringP50Percent' }, // prettier-ignore
  { bench: 'ring', work: 'The same, processor', ours: ['ringCpuPercent', '%'], anchor: ['the least ring, by hand', 'leastCpuPercent'], ratio: 'ringCpuPercent' }, // prettier-ignore
  { bench: 'ring', work: 'No ring against no ring, processor', ours: ['noiseCpuPercent', '%'], ratio: 'noiseCpuPercent' }, // prettier-ignore
  { bench: 'tracing', work: 'What a call asks for while nothing is traced', ours: ['offNs', 'ns'], anchor: ['a call, µs', 'callP50Us'], ratio: 'offPercent' }, // prettier-ignore
  { bench: 'inspect', work: 'A filter of 100,000 messages in the inspector, until it is drawn', ours: ['filterMs', 'ms'], ratio: 'filterMs' }, // prettier-ignore
  { bench: 'inspect', work: 'A jump through them', ours: ['scrollMs', 'ms'], ratio: 'scrollMs' },
  { bench: 'inspect', work: 'Their memory', ours: ['memoryMiB', 'MiB'], ratio: 'memoryMiB' },
  { bench: 'inspect', work: '1,000 messages per second, of a core', ours: ['openCpuPercent', '%'], ratio: 'openCpuPercent' }, // prettier-ignore
  { bench: 'auth', work: 'A connect with a stored token, processor', ours: ['connectCpuMs', 'ms'], anchor: ['without OAuth', 'plainCpuMs'], ratio: 'extraCpuMs' }, // prettier-ignore
  {
    bench: 'auth',
    work: '20 calls on an expired token, token requests',
    ours: ['tokenRequests', ''],
    ratio: 'tokenRequests',
  },
  { bench: 'auth', work: 'A start with 20 signed-in servers, authorization requests', ours: ['startRequests', ''], ratio: 'startRequests' }, // prettier-ignore
  { bench: 'activate', work: 'Activation, processor', ours: ['cpuMs', 'ms'], ratio: 'cpuMs' },
  { bench: 'activate', work: 'From activation to the first server’s tools, processor', ours: ['firstServerCpuMs', 'ms'], anchor: [SDK, 'bareFirstServerCpuMs'], ratio: 'firstServerCpuMs' }, // prettier-ignore
  { bench: 'activate', work: 'The same, longest slice', ours: ['firstServerSliceMs', 'ms'], anchor: [SDK, 'bareFirstServerSliceMs'], ratio: 'firstServerSliceMs' }, // prettier-ignore
  { bench: 'scale', work: '100 servers with 20 tools in the editor, processor', ours: ['editorCpuMs', 'ms'], anchor: ['the core in plain Node', 'coreCpuMs'], ratio: 'editorShare' }, // prettier-ignore
  { bench: 'scale', work: '200 servers against 100, time', ours: ['editorSecondsOfTwice', 's'], anchor: ['100 servers', 'editorSeconds'], ratio: 'editorTwice' }, // prettier-ignore
  { bench: 'scale', work: '100 servers with 100 tools in plain Node, longest slice', ours: ['longestSliceMs', 'ms'], ratio: 'longestSliceMs' }, // prettier-ignore
  { bench: 'scale', work: 'The same in the editor', ours: ['editorLongestSliceMs', 'ms'], ratio: 'editorLongestSliceMs' }, // prettier-ignore
  { bench: 'soak', work: 'Calls that hang, of some thousands with faults', ours: ['hanging', ''], ratio: 'hanging' },
  { bench: 'soak', work: 'States that the process table contradicts', ours: ['stateMismatches', ''], ratio: 'stateMismatches' }, // prettier-ignore
  { bench: 'soak', work: 'Heap that grew meanwhile', ours: ['heapGrowthMiB', 'MiB'], ratio: 'heapGrowthMiB' },
  { bench: 'peers', work: 'Kinds of odd servers in which a peer does better', ours: ['cases in which a peer does better', ''], ratio: 'cases in which a peer does better' }, // prettier-ignore
  { bench: 'peers', work: 'Kinds of odd servers that all work', ours: ['ours cases', ''], anchor: ['of', 'ours of'], ratio: 'ours share' }, // prettier-ignore
  { bench: 'editor', work: 'A call by `mcp_call_tool` in the editor', ours: ['oursP50Ms', 'ms'], anchor: ['an empty tool', 'emptyP50Ms'], ratio: 'overEmpty' }, // prettier-ignore
  { bench: 'editor', work: 'A call by `mcp_call_tool`, beside the least that asks the server', ours: ['oursP50Ms', 'ms'], anchor: ['a tool with a hand-written client', 'rawP50Ms'], ratio: 'overRaw' }, // prettier-ignore
  { bench: 'editor', work: 'A native call in the editor', ours: ['gatewayP50Ms', 'ms'], anchor: ['the editor’s own MCP over HTTP', 'builtInHttpP50Ms'], ratio: 'gatewayOverHttp' }, // prettier-ignore
  { bench: 'editor', work: 'A native call, beside the least that two processes take', ours: ['gatewayP50Ms', 'ms'], anchor: ['the editor’s own MCP over HTTP to a forwarder', 'forwardedP50Ms'], ratio: 'gatewayOverForwarded' }, // prettier-ignore
  { bench: 'editor', work: 'Remembered tools are offered natively', ours: ['firstToolsFromCacheMs', 'ms'], ratio: 'firstToolsFromCacheMs' }, // prettier-ignore
  { bench: 'editor', work: 'A tool joins the agent’s list', ours: ['joinedP50Ms', 'ms'], ratio: 'joinedP50Ms' },
];
