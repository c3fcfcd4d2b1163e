import { formatProblemText } from '../server-registry/format/format-problem.ts';
import { installProblemText } from '../server-registry/problems/install-problem.ts';
import { installWays } from '../server-registry/packages/install-ways.ts';
import { searchServers } from '../server-registry/search/search-servers.ts';
import type { RegistryServer } from '../server-registry/format/parse-registry.ts';
import { escapeToLine, type CommandResult } from '@gateway/service-host';
import type { SearchArguments } from '../arguments/registry-arguments.ts';
import type { CliIo } from '../cli-io.ts';
import { tableText } from '../output/table-text.ts';
import { writeValue } from '../output/write-value.ts';
import { registrySources } from '../registry/configured-registries.ts';
import { readServers, type RegistryResult } from '../registry/read-registry.ts';

interface FoundServer {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description: string;
  readonly status: RegistryServer['status'];
  readonly registry: string;
  /** The ways to run it, the preferred one first. */
  readonly runs: readonly { readonly kind: string; readonly reference: string }[];
  /** The packages that cannot be installed, with the reason. */
  readonly notSupported: readonly { readonly kind: string; readonly reason: string }[];
}

const foundServer = (server: RegistryServer, registry: string): FoundServer => {
  const { name, version, title, description, status } = server;
  const { ways, refused } = installWays(server);
  return {
    ...{ name, version, ...(title !== undefined && { title }), description, status, registry },
    runs: ways.map(({ kind, reference }) => ({ kind, reference })),
    notSupported: refused.map(({ kind, problem }) => ({
      kind,
      reason: installProblemText(problem),
    })),
  };
};

const runsText = ({ runs, notSupported }: FoundServer): string => {
  const kinds = [...new Set(runs.map(({ kind }) => kind))];
  if (kinds.length > 0) return kinds.join(', ');
  const others = [...new Set(notSupported.map(({ kind }) => kind))];
  return others.length === 0 ? 'not described' : `not supported (${others.join(', ')})`;
};

const titleText = ({ title, description, status }: FoundServer): string => {
  const text = title ?? description;
  return status === 'deprecated' ? `${text} (deprecated)` : text;
};

const reportRest = (label: string, { invalid, isCut }: RegistryResult, io: CliIo): void => {
  for (const { name, problem } of invalid.slice(0, 5))
    io.stderr.write(
      `${escapeToLine(`${label}: ${name ?? 'an entry'} is left out: ${formatProblemText(problem)}`)}\n`,
    );
  if (invalid.length > 5)
    io.stderr.write(`${escapeToLine(label)}: ${String(invalid.length - 5)} more are left out\n`);
  if (isCut)
    io.stderr.write(
      `${escapeToLine(label)} has further servers that were not read: search for more words\n`,
    );
};

/** Lists the servers of registries whose names, titles and descriptions contain all words. */
export async function searchRegistry(args: SearchArguments, io: CliIo): Promise<CommandResult> {
  const sources = await registrySources(args);
  const query = args.words.join(' ');
  const results = await Promise.all(
    sources.map(async (source) => ({
      label: source.label,
      result: await readServers(source, query, io.interrupted()),
    })),
  );
  const found = results.flatMap(({ label, result }) =>
    searchServers(result.servers, query).map((server) => foundServer(server, label)),
  );
  writeValue(io, args.output, found, () => searchText(found, sources.length > 1, io));
  for (const { label, result } of results) reportRest(label, result, io);
  return 'succeeded';
}

function searchText(found: readonly FoundServer[], hasRegistries: boolean, io: CliIo): string {
  if (found.length === 0) return 'no servers\n';
  return tableText(io, found, [
    { title: 'NAME', cell: ({ name }) => name },
    { title: 'VERSION', cell: ({ version }) => version },
    { title: 'RUNS', cell: runsText },
    ...(hasRegistries
      ? [{ title: 'REGISTRY', cell: ({ registry }: FoundServer) => registry }]
      : []),
    { title: 'TITLE', cell: titleText },
  ]);
}
