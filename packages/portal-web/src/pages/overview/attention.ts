import type { Agent } from '@gateway/agent-manager-client';
import { type JsonObject, toObjects, toText, toTexts } from '@gateway/call-contract';
import type { CatalogServer, PresetCards } from '@gateway/toolset-composer';
import type { LinkProps } from '@tanstack/react-router';
import { listUnknownSelectors } from '../agents/agent-facts.ts';
import { type InvalidServer, isSignedOut, type ServerSummary } from '../servers/server-facts.ts';
import { findServerProblem } from '../servers/server-parts.tsx';
import type { WorkflowEntry } from '../workflows/workflow-facts.ts';

/** Something that somebody should look at, with the page on which that is done. */
export interface Attention {
  readonly kind: 'Failed' | 'Not valid' | 'Sign-in needed' | 'Conflict' | 'Changed' | 'Toolset';
  /** What it is about. */
  readonly name: string;
  readonly text: string;
  readonly link: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

/** A server whose lists have warnings, such as names that another server holds. */
interface ServiceWarnings {
  readonly name: string;
  readonly warnings: readonly string[];
}

/** Reads the warnings of an answer of `core_service_list`. */
export const parseWarnings = ({ services }: JsonObject): readonly ServiceWarnings[] =>
  toObjects(services)
    .map(({ name, warnings }) => ({ name: toText(name), warnings: toTexts(warnings) }))
    .filter(({ warnings }) => warnings.length > 0);

/** What is known of an installation. */
interface InstallationFacts {
  readonly servers: readonly ServerSummary[];
  readonly refused: readonly InvalidServer[];
  readonly catalog: readonly CatalogServer[];
  readonly warnings: readonly ServiceWarnings[];
  readonly workflows: readonly WorkflowEntry[];
  readonly agents: readonly Agent[];
  readonly presets: PresetCards;
}

const toServerPage = (name: string, tab?: 'logs' | 'tools'): Attention['link'] => ({
  to: '/servers/$name',
  params: { name },
  search: tab === undefined ? {} : { tab },
});

const listServerAttention = (server: ServerSummary): readonly Attention[] => {
  const { name, changedTools } = server;
  const problem = findServerProblem(server);
  const found: readonly (Attention | false)[] = [
    problem !== undefined && {
      ...{ kind: 'Failed', name, text: problem },
      link: toServerPage(name, 'logs'),
    },
    isSignedOut(server) && {
      ...{ kind: 'Sign-in needed', name, text: 'Its tools are listed when you have signed in.' },
      link: toServerPage(name),
    },
    changedTools.length > 0 && {
      ...{ kind: 'Changed', name },
      text: `Tools differ from what was accepted: ${changedTools.join(', ')}`,
      link: toServerPage(name, 'tools'),
    },
  ];
  return found.filter((one) => one !== false);
};

/** Returns what needs attention, the most urgent first. */
export const listAttention = (facts: InstallationFacts): readonly Attention[] => {
  const { servers, refused, catalog, warnings, workflows, agents, presets } = facts;
  return [
    ...servers.flatMap(listServerAttention),
    ...refused.map(({ name, problems }): Attention => ({
      kind: 'Not valid',
      ...{ name, text: problems.join('; '), link: { to: '/servers' } },
    })),
    ...workflows
      .filter(({ isValid }) => !isValid)
      .map(({ name }): Attention => ({
        kind: 'Not valid',
        ...{ name, text: 'The definition of the workflow is not valid.' },
        link: { to: '/workflows/$workflow', params: { workflow: name } },
      })),
    ...warnings.map(({ name, warnings: texts }): Attention => ({
      kind: 'Conflict',
      ...{ name, text: texts.join('; '), link: toServerPage(name) },
    })),
    ...agents.flatMap(({ namespace, name, displayName, toolset = [] }): readonly Attention[] => {
      const unknown = listUnknownSelectors(toolset, presets, catalog);
      return unknown.length === 0
        ? []
        : [
            {
              kind: 'Toolset',
              name: displayName ?? name,
              text: `Its toolset names what does not exist: ${unknown.join(', ')}`,
              link: { to: '/agents/$namespace/$name', params: { namespace, name } },
            },
          ];
    }),
  ];
};
