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
 * Returns the toolset in the gateway tools of an Agent without a release, parsed from their header. A gateway tool without the header gives
 * full access; an Agent without a gateway tool has neither.
 */
export const toolsetOfResource = (agent: AgentResource): DeclaredToolset => {
  const gatewayTools = listOf(at(agent, 'spec', 'declarative', 'tools'))
    .map((tool) => ({ tool, values: headerValues(tool) }))
    .filter(({ tool, values }) => isGateway(tool) || values.length > 0);
  if (gatewayTools.some(({ values }) => values.length === 0)) return IMPLICIT;
  const texts = gatewayTools.flatMap(({ values }) => textsOf(values));
  return texts.length === 0 ? {} : { toolset: texts.flatMap(selectorsOf) };
};
