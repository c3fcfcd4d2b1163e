import type { ConnectionTarget } from './connection-target.ts';
import type { ConnectionDependencies, LinkObserver, ServerLink } from './server-link.ts';
import { remoteLink } from './remote-link.ts';
import { headersOf, urlOf } from '../wire/referenced-values.ts';
import { stdioLink } from './stdio-link.ts';

/** Returns the transport of a server by its type. Remote servers do not use `env`. @spec §2.6 type */
export const createLink = (
  { server, authority }: ConnectionTarget,
  dependencies: ConnectionDependencies,
  observer: LinkObserver,
): ServerLink => {
  const { spec } = server;
  return spec.type === 'stdio'
    ? stdioLink(server, spec, dependencies, observer)
    : remoteLink(
        {
          spec: { ...spec, url: urlOf(spec, server), headers: headersOf(spec, server) },
          authority,
        },
        dependencies,
        observer,
      );
};
