import type { JsonObject } from '@gateway/call-contract';
import type { ToolAnnotations } from './annotations.ts';
import type { CatalogTool, ToolKind } from './catalog-tool.ts';

/** A tool as listings show it; a key whose value there is none is absent. @spec §2.4 */
export interface ToolInfo {
  readonly name: string;
  readonly description?: string;
  readonly summary?: string;
  readonly score?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly server?: string;
  readonly kind: ToolKind;
  readonly annotations?: ToolAnnotations;
  readonly inputSchema?: JsonObject;
}

/** Level of detail of a tool in a list. */
export interface ToolInfoOptions {
  readonly description: 'full' | 'summary';
  readonly schema: boolean;
  /** The rank in a search, shown as it is. */
  readonly score?: number;
}

function describedBy(
  { description, summary }: CatalogTool,
  form: ToolInfoOptions['description'],
): Pick<ToolInfo, 'description' | 'summary'> {
  if (form === 'full') return description === '' ? {} : { description };
  return summary === '' ? {} : { summary };
}

/** The entry of a tool in a listing. Values are shared with the catalog. @spec §2.4 */
export function toolInfo(tool: CatalogTool, options: ToolInfoOptions): ToolInfo {
  const { name, labels, server, kind, annotations, inputSchema } = tool;
  const { score } = options;
  const hasLabels = labels !== undefined && Object.keys(labels).length > 0;
  return {
    name,
    ...describedBy(tool, options.description),
    ...(score !== undefined && { score }),
    ...(hasLabels && { labels }),
    ...(server !== undefined && { server }),
    kind,
    ...(annotations !== undefined && { annotations }),
    ...(options.schema && { inputSchema }),
  };
}
