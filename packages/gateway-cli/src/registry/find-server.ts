import { isDeepStrictEqual } from 'node:util';
import { chooseVersion } from '../server-registry/search/choose-version.ts';
import { formatProblemText } from '../server-registry/format/format-problem.ts';
import type { RegistryServer } from '../server-registry/format/parse-registry.ts';
import { escapeToLine } from '@gateway/service-host';
import { CommandFailure } from '../failure.ts';
import { readServer, type RegistryResult, type ServerRequest } from './read-registry.ts';
import type { RegistrySource } from './registry-source.ts';

interface Found {
  readonly label: string;
  readonly server: RegistryServer;
}

const quoted = (name: string, version: string | undefined): string =>
  version === undefined ? `"${name}"` : `"${name}" in version ${version}`;

const refuse = (message: string): never => {
  throw new CommandFailure('refused', message);
};

const foundIn = (
  { servers, invalid }: RegistryResult,
  { label }: RegistrySource,
  { name, version }: ServerRequest,
): readonly Found[] => {
  const names = [...new Set(servers.map((server) => server.name))];
  if (name === undefined && names.length > 1)
    refuse(`${label} has several servers; name one: ${names.slice(0, 20).join(', ')}`);
  const server = chooseVersion(servers, version);
  const problem = invalid[0]?.problem;
  if (server === undefined && problem !== undefined)
    refuse(
      `${label}: the server ${name ?? ''} is not valid: ${escapeToLine(formatProblemText(problem))}`,
    );
  return server === undefined ? [] : [{ label, server }];
};

/**
 * Finds a server in registries.
 *
 * @throws CommandFailure when no registry has it, or when several have it and differ
 */
export const findServer = async (
  sources: readonly RegistrySource[],
  request: ServerRequest,
  signal: AbortSignal,
): Promise<RegistryServer> => {
  const results = await Promise.all(
    sources.map(async (source) =>
      foundIn(await readServer(source, request, signal), source, request),
    ),
  );
  const found = results.flat();
  const first = found[0];
  const { name = '', version } = request;
  if (first === undefined)
    return refuse(
      `no registry has the server ${quoted(name, version)}: gateway servers search lists the names`,
    );
  // Another registry must not replace a server of this name without notice.
  const other = found.find(({ server }) => !isDeepStrictEqual(server, first.server));
  if (other !== undefined)
    refuse(
      `${first.label} and ${other.label} differ in the server ${quoted(first.server.name, version)}: name one of them with --registry`,
    );
  return first.server;
};
