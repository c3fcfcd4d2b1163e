import type { JsonObject } from '@gateway/catalog';
import { READS } from './annotations.ts';
import { defineCoreTool, type CoreTool } from './core-tool.ts';
import { withoutSecrets } from './redaction.ts';
import { objectResult } from './result.ts';

/** The tools about the gateway's configuration. */
export const configTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_config_get',
    description: "Show the gateway's configuration without secrets.",
    annotations: READS,
    arguments: {},
    run: (_args, ports) => objectResult(withoutSecrets(ports.config()) as JsonObject),
  }),
];
