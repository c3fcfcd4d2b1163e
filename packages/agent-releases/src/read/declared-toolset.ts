import { TOOLSET_HEADER, type Agent } from '@gateway/agent-manager-client';
import { EMBEDDED_CHART } from '../chart/embedded-chart.ts';
import type { AgentResource, Json } from '../store/objects.ts';
import { at, listOf, own, textsOf } from '../values/lenient.ts';

/** The declared toolset of an agent. */
export type DeclaredToolset = Pick<Agent, 'toolset' | 'implicitFullAccess'>;

const IMPLICIT: DeclaredToolset = { implicitFullAccess: true };

/** Returns the toolset in the values of a release. A value that is not a list gives no access. @spec §2.8 */
export const toolsetOfValues = (values: Json): DeclaredToolset => {
  const toolset = own(values, 'toolset');
  if (toolset === undefined || toolset === null) return IMPLICIT;
  return Array.isArray(toolset) ? { toolset: [...textsOf(toolset)] } : {};
};

const HEADER = TOOLSET_HEADER.toLowerCase();

const headerValues = (tool: unknown): readonly unknown[] =>
  listOf(at(tool, 'headersFrom'))
    .filter((header) => {
      const name = at(header, 'name');
      return typeof name === 'string' && name.toLowerCase() === HEADER;
    })
    .map((header) => at(header, 'value'));

const selectorsOf = (value: string): readonly string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const isGateway = (tool: unknown): boolean =>
  at(tool, 'mcpServer', 'name') === EMBEDDED_CHART.defaults.muster.serverRef.name;

/**
 * What the tools of an Agent without a release declare: the header of each way to the gateway, parsed back. One way without the header is
 * full access; no way at all is neither.
 */
export const toolsetOfResource = (agent: AgentResource): DeclaredToolset => {
  const ways = listOf(at(agent, 'spec', 'declarative', 'tools'))
    .map((tool) => ({ tool, values: headerValues(tool) }))
    .filter(({ tool, values }) => isGateway(tool) || values.length > 0);
  if (ways.some(({ values }) => values.length === 0)) return IMPLICIT;
  const texts = ways.flatMap(({ values }) => textsOf(values));
  return texts.length === 0 ? {} : { toolset: texts.flatMap(selectorsOf) };
};
