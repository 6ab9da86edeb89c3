// What searching needs, in one bundle that is loaded with the first search.
export { OfferFeed } from './offerFeed.ts';
export { ToolSearch } from './search.ts';
