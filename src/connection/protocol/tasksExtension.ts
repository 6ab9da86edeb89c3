/** Extension of the protocol (SEP-2663): a server makes a task of a call as it sees fit. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
