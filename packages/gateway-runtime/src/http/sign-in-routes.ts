import type { CallerAuth } from '@gateway/caller-auth';
import type { DownstreamAuth } from '@gateway/downstream-auth';
import { createRouteLimit, type RouteHandler } from '@gateway/mcp-http';

/** The handlers of sign-in: by path, and by the beginning of a path. */
export interface SignInRoutes {
  readonly routes: Readonly<Record<string, RouteHandler>>;
  readonly prefixes: Readonly<Record<string, RouteHandler>>;
}

type RouteLimitOptions = Parameters<typeof createRouteLimit>[0];

/**
 * The rate of requests that store state before a person has signed in. All addresses together may start 2,000 sign-ins in a minute: one address
 * may start at most 400 of them.
 */
const STARTS = { requestsPerSecond: 5, burst: 100 };

/** Returns the handlers of sign-in, each address with a limited rate; without a rate limit, the handlers as they are. */
export const signInRoutes = (
  servers: Pick<DownstreamAuth, 'routes' | 'prefixes'>,
  callers: Pick<CallerAuth, 'routes' | 'prefixes' | 'startPaths'> | undefined,
  limit: RouteLimitOptions | undefined,
): SignInRoutes => {
  const routes = { ...servers.routes, ...callers?.routes };
  const prefixes = { ...servers.prefixes, ...callers?.prefixes };
  if (limit === undefined) return { routes, prefixes };
  const limited = createRouteLimit(limit);
  const rateLimit = { ...limit.rateLimit, ...STARTS };
  const isStart = ([path]: readonly [string, RouteHandler]): boolean =>
    callers?.startPaths.includes(path) === true;
  const starts = Object.fromEntries(Object.entries(routes).filter(isStart));
  const limitedStarts = createRouteLimit({ ...limit, rateLimit })(starts);
  return { routes: limited({ ...routes, ...limitedStarts }), prefixes: limited(prefixes) };
};
