import type { GatewayEvent } from '@gateway/events';
import {
  type CatalogTool,
  MAX_EXPOSED_NAME_CHARS,
  hasHiddenCharacters,
  LONG_EXPOSED_NAME_CHARS,
  removeHiddenCharacters,
} from './catalog-tool.ts';

/** The provider of a name: a server, a family, a workflow, or the gateway itself. */
export interface NameOwner {
  readonly kind: 'server' | 'family' | 'workflow' | 'core';
  readonly name: string;
}

/** A conflict in the input that changes or drops an entry of the catalog. */
export type CatalogWarning =
  | {
      /** Members disagree on `instanceArg`: the whole family is served per server. @spec §2.6 */
      readonly code: 'family.instance-arg-divergence';
      readonly family: string;
      readonly instanceArgs: readonly string[];
      readonly servers: readonly string[];
    }
  | {
      /** One tool of a family is served per server. */
      readonly code:
        | 'family.description-divergence'
        | 'family.schema-divergence'
        | 'family.instance-arg-collision';
      readonly family: string;
      readonly tool: string;
      readonly instanceArg: string;
      readonly servers: readonly string[];
    }
  | {
      /** Two tools have the same exposed name; one of them is served. */
      readonly code: 'tool.name-collision';
      readonly name: string;
      readonly served: NameOwner;
      readonly dropped: NameOwner;
      /** The servers behind the dropped tool. */
      readonly servers: readonly string[];
    }
  | {
      /** Two prompts have the same exposed name; one of them is served. */
      readonly code: 'prompt.name-collision';
      readonly name: string;
      readonly served: NameOwner;
      readonly dropped: NameOwner;
    }
  | {
      /** A tool is not served because of its exposed name, or is served although some clients reject the name. */
      readonly code: 'tool.name-refused' | 'tool.name-long';
      readonly finding: 'length' | 'hidden-characters';
      /** The exposed name as it can be shown. */
      readonly name: string;
      /** The length of the exposed name. */
      readonly chars: number;
      readonly owner: NameOwner;
      readonly servers: readonly string[];
      /** The number of further tools of this owner with the same problem. */
      readonly more?: number;
    }
  | {
      /** A resource template is not listed, because no URI can match it. RFC 6570 §2 */
      readonly code: 'template.refused';
      /** The beginning of the template as it can be shown. */
      readonly template: string;
      readonly server: string;
      readonly problem: string;
      /** The number of further templates of this server with the same problem. */
      readonly more?: number;
    };

/** Returns the provider of a tool. */
export function toNameOwner(tool: CatalogTool): NameOwner {
  if (tool.kind !== 'tool') return { kind: tool.kind, name: tool.name };
  const kind = tool.instanceArg === undefined ? 'server' : 'family';
  return { kind, name: tool.server ?? tool.name };
}

const formatQuotedNames = (names: readonly string[]): string =>
  names.map((name) => JSON.stringify(name)).join(', ');

export const formatOwner = ({ kind, name }: NameOwner): string =>
  kind === 'core' ? 'the gateway' : `${kind} ${JSON.stringify(name)}`;

type FamilyToolWarning = Extract<CatalogWarning, { readonly tool: string }>;

const TOOL_REASONS: {
  readonly [C in FamilyToolWarning['code']]: (warning: FamilyToolWarning) => string;
} = {
  'family.description-divergence': () => 'its members describe it differently',
  'family.schema-divergence': () => 'its members give it different input schemas',
  'family.instance-arg-collision': ({ instanceArg }) =>
    `it already has an argument ${JSON.stringify(instanceArg)}`,
};

type NameWarning = Extract<CatalogWarning, { readonly finding: unknown }>;

const formatMoreCount = (more: number | undefined, kind: 'tools' | 'templates'): string =>
  more === undefined ? '' : ` (and ${more} more ${kind})`;

/** Returns why a tool is not served because of its name. */
const formatNameProblem = ({ finding, chars }: NameWarning): string =>
  finding === 'length'
    ? `its name has ${chars} characters, more than ${MAX_EXPOSED_NAME_CHARS}`
    : 'its name has characters that cannot be seen';

/** Returns the warning as one log line. */
export function formatWarning(warning: CatalogWarning): string {
  switch (warning.code) {
    case 'family.instance-arg-divergence':
      return `family ${JSON.stringify(warning.family)} is served per server: its members disagree on instanceArg (${formatQuotedNames(warning.instanceArgs)}; servers ${formatQuotedNames(warning.servers)})`;
    case 'family.description-divergence':
    case 'family.schema-divergence':
    case 'family.instance-arg-collision':
      return `tool ${JSON.stringify(warning.tool)} of family ${JSON.stringify(warning.family)} is served per server: ${TOOL_REASONS[warning.code](warning)} (servers ${formatQuotedNames(warning.servers)})`;
    case 'tool.name-collision':
      return `tool name ${JSON.stringify(warning.name)} has two owners: ${formatOwner(warning.served)} serves it, ${formatOwner(warning.dropped)} does not`;
    case 'prompt.name-collision':
      return `prompt name ${JSON.stringify(warning.name)} has two owners: ${formatOwner(warning.served)} serves it, ${formatOwner(warning.dropped)} does not`;
    case 'tool.name-refused':
      return `tool ${JSON.stringify(warning.name)} of ${formatOwner(warning.owner)} is not served: ${formatNameProblem(warning)}${formatMoreCount(warning.more, 'tools')}`;
    case 'tool.name-long':
      return `tool ${JSON.stringify(warning.name)} of ${formatOwner(warning.owner)} has a name of ${warning.chars} characters, which some clients do not take${formatMoreCount(warning.more, 'tools')}`;
    case 'template.refused':
      return `resource template ${JSON.stringify(warning.template)} of server ${JSON.stringify(warning.server)} is not listed: ${warning.problem}${formatMoreCount(warning.more, 'templates')}`;
  }
}

/** Returns the events of a catalog warning; none for warnings that are only logged. @spec §6 */
export function listWarningEvents(warning: CatalogWarning): readonly GatewayEvent[] {
  switch (warning.code) {
    case 'tool.name-refused': {
      const error = formatNameProblem(warning);
      return warning.servers.map((name) => ({
        reason: 'MCPServerToolNameRefused',
        name,
        tool: warning.name,
        error,
      }));
    }
    case 'tool.name-collision':
      return warning.servers.map((name) => ({
        reason: 'MCPServerToolNameConflict',
        name,
        tool: warning.name,
        keptBy: formatOwner(warning.served),
      }));
    case 'tool.name-long':
    case 'prompt.name-collision':
    case 'template.refused':
    case 'family.instance-arg-divergence':
    case 'family.description-divergence':
    case 'family.schema-divergence':
    case 'family.instance-arg-collision':
      return [];
  }
}

/** Returns the identity of a warning: a family that gains a member does not warn again. */
function toWarningIdentity(warning: CatalogWarning): string {
  switch (warning.code) {
    case 'family.instance-arg-divergence':
      return JSON.stringify([warning.code, warning.family]);
    case 'family.description-divergence':
    case 'family.schema-divergence':
    case 'family.instance-arg-collision':
      return JSON.stringify([warning.code, warning.family, warning.tool]);
    case 'tool.name-collision':
    case 'prompt.name-collision':
      return JSON.stringify([warning.code, warning.name, warning.served, warning.dropped]);
    case 'tool.name-refused':
    case 'tool.name-long':
      return JSON.stringify([warning.code, warning.name, warning.owner]);
    case 'template.refused':
      return JSON.stringify([warning.code, warning.template, warning.server]);
  }
}

/** Returns the servers that must be present before an absent warning counts as resolved. */
function listWarningServers(warning: CatalogWarning): readonly string[] {
  switch (warning.code) {
    case 'family.instance-arg-divergence':
    case 'family.description-divergence':
    case 'family.schema-divergence':
    case 'family.instance-arg-collision':
    case 'tool.name-refused':
    case 'tool.name-long':
      return warning.servers;
    case 'tool.name-collision':
    case 'prompt.name-collision':
      return [warning.served, warning.dropped].flatMap(({ kind, name }) =>
        kind === 'server' ? [name] : [],
      );
    case 'template.refused':
      return [warning.server];
  }
}

/** Maximum number of remembered warnings; beyond it the oldest can be reported again. */
const MAX_REMEMBERED = 10_000;

/** The part of a snapshot that decides which warnings are new. */
interface CatalogWarnings {
  readonly warnings: readonly CatalogWarning[];
  /** By the names of the present servers. */
  readonly serverLabels: ReadonlyMap<string, unknown>;
}

/**
 * Returns a function that filters the warnings to log from each new snapshot: each once, even when its servers reconnect.
 * A warning that disappears while all its servers are present is resolved, and is logged again when it recurs.
 */
export function createWarningFilter(): (catalog: CatalogWarnings) => readonly CatalogWarning[] {
  const known = new Map<string, readonly string[]>();
  return ({ warnings, serverLabels }) => {
    const current = new Map(warnings.map((warning) => [toWarningIdentity(warning), warning]));
    for (const [identity, servers] of known)
      if (!current.has(identity) && servers.every((server) => serverLabels.has(server)))
        known.delete(identity);
    const fresh = [...current].filter(([identity]) => !known.has(identity));
    for (const [identity, warning] of fresh) known.set(identity, listWarningServers(warning));
    for (const identity of known.keys()) {
      if (known.size <= MAX_REMEMBERED) break;
      known.delete(identity);
    }
    return fresh.map(([, warning]) => warning);
  };
}

/** Warnings of one kind about one server or family. */
const MAX_WARNINGS = 20;

function findNameProblem(name: string): Pick<NameWarning, 'code' | 'finding'> | undefined {
  if (name.length > MAX_EXPOSED_NAME_CHARS) return { code: 'tool.name-refused', finding: 'length' };
  if (hasHiddenCharacters(name) || /[\t\r\n]/.test(name)) {
    return { code: 'tool.name-refused', finding: 'hidden-characters' };
  }
  return name.length > LONG_EXPOSED_NAME_CHARS
    ? { code: 'tool.name-long', finding: 'length' }
    : undefined;
}

export const isServedName = (name: string): boolean =>
  findNameProblem(name)?.code !== 'tool.name-refused';

/** Returns the beginning of a name, without characters that cannot be seen. */
export const truncateName = (name: string): string => {
  const visible = removeHiddenCharacters(name.slice(0, MAX_EXPOSED_NAME_CHARS));
  return name.length > MAX_EXPOSED_NAME_CHARS ? `${visible}...` : visible;
};

/** Returns the first warnings; the last of them counts the rest. */
export function truncateWarnings<W extends { readonly more?: number }>(
  warnings: readonly W[],
): readonly W[] {
  const reported = warnings.slice(0, MAX_WARNINGS);
  const more = warnings.length - reported.length;
  return more === 0
    ? reported
    : reported.map((one, index) => (index === reported.length - 1 ? { ...one, more } : one));
}

/**
 * Leaves the tools out that are not served because of their exposed names, and warns of them and of long names.
 *
 * @param tools of one server or one family
 */
export function checkExposedNames(tools: readonly CatalogTool[]): {
  readonly tools: readonly CatalogTool[];
  readonly warnings: readonly CatalogWarning[];
} {
  const refused: NameWarning[] = [];
  const long: NameWarning[] = [];
  const served = tools.filter((tool) => {
    const found = findNameProblem(tool.name);
    if (found === undefined) return true;
    const isLong = found.code === 'tool.name-long';
    (isLong ? long : refused).push({
      ...found,
      name: truncateName(tool.name),
      chars: tool.name.length,
      owner: toNameOwner(tool),
      servers: tool.providers.map(({ server }) => server),
    });
    return isLong;
  });
  return {
    tools: refused.length === 0 ? tools : served,
    warnings: [...truncateWarnings(refused), ...truncateWarnings(long)],
  };
}
