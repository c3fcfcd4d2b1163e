/** The search of the page of servers in its address. */
export const readServerSearch = ({ query }: Record<string, unknown>): { query?: string } =>
  typeof query === 'string' && query !== '' ? { query } : {};

/** How the gateway reaches a new server, in the address of its form. */
export const readNewServerSearch = ({ by }: Record<string, unknown>): { by?: 'command' } =>
  by === 'command' ? { by } : {};

/** The filters of the events in the address of their page. */
export interface EventSearch {
  readonly resourceType?: string;
  readonly resourceName?: string;
  readonly eventType?: 'Normal' | 'Warning';
  readonly since?: string;
}

const MAX_CHARS = 1_024;

const text = <K extends string>(key: K, value: unknown): { readonly [P in K]?: string } =>
  (typeof value === 'string' && value !== '' ? { [key]: value.slice(0, MAX_CHARS) } : {}) as {
    readonly [P in K]?: string;
  };

/** Reads the filters of events from the parameters of an address; unknown ones are left out. */
export const readEventSearch = (search: Record<string, unknown>): EventSearch => {
  const { eventType } = search;
  return {
    ...text('resourceType', search['resourceType']),
    ...text('resourceName', search['resourceName']),
    ...((eventType === 'Normal' || eventType === 'Warning') && { eventType }),
    ...text('since', search['since']),
  };
};
