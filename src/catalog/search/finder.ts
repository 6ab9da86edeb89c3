// What searching needs, in one bundle that is loaded with the first search.
export { ServerItemFeed } from '../items/serverItemFeed.ts';
export { ToolSearch } from './toolSearch.ts';
