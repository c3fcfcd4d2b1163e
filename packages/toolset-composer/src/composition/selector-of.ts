import { WORKFLOW_TOOL_PREFIX } from '@gateway/call-contract';
import type { CatalogTool } from '../answers/catalog-tool.ts';

/** Returns the selector of one tool. A workflow's execution tool is selected as the workflow. @spec §2.1 */
export const selectorOfTool = ({ name, kind }: Pick<CatalogTool, 'name' | 'kind'>): string =>
  kind === 'workflow' && name.startsWith(WORKFLOW_TOOL_PREFIX)
    ? `workflow:${name.slice(WORKFLOW_TOOL_PREFIX.length)}`
    : `tool:${name}`;

/** Returns the selector of all tools of a server or a family. @spec §2.1 */
export const selectorOfServer = (name: string): string => `server:${name}`;

/** Returns the selector of a preset. @spec §2.1 */
export const selectorOfPreset = (name: string): string => `preset:${name}`;
