import type { JsonObject, ConfigurationOutcome } from '@gateway/call-contract';
import { createPatchSchema, withoutType } from './arguments.ts';
import {
  ENDS_OR_REPLACES,
  READS,
  defineCoreTool,
  type CoreTool,
  createErrorResult,
  createObjectResult,
  createSentenceResult,
} from './core-tool.ts';
import { withoutSecrets, keepSecrets } from './redaction.ts';

/** The texts of one command: `order` when it fails, `done` when it succeeds. */
interface OrderTexts {
  readonly order: string;
  readonly done: string;
}

const UPDATE: OrderTexts = {
  order: 'update aggregator configuration',
  done: 'Successfully updated aggregator configuration',
};
const SAVE: OrderTexts = {
  order: 'save configuration',
  done: 'Configuration saved successfully',
};
const RELOAD: OrderTexts = {
  order: 'reload configuration',
  done: 'Configuration reloaded successfully',
};

const createOrderResult = (
  { order, done }: OrderTexts,
  outcome: ConfigurationOutcome,
): JsonObject => {
  switch (outcome.kind) {
    case 'done':
      return createSentenceResult(done, { restartRequiredFor: outcome.restart ?? [] });
    case 'invalid':
      return createErrorResult(`Failed to ${order}: ${outcome.issues.join('; ')}`, {
        problems: outcome.issues,
      });
    case 'failed':
      return createErrorResult(`Failed to ${order}: ${outcome.text}`);
  }
};

/** Returns the tool that changes the part of the configuration that this schema describes. */
const updateTool = (schema: JsonObject): CoreTool =>
  defineCoreTool({
    name: 'core_config_update_aggregator',
    description:
      'Change the configuration of the endpoint and the catalog until the next restart: omitted fields stay, null restores the default; core_config_save writes the change to config.yaml.',
    annotations: ENDS_OR_REPLACES,
    arguments: {
      aggregator: {
        type: 'object',
        required: true,
        description: 'What core_config_get_aggregator shows, as far as it changes',
        schema: withoutType(createPatchSchema(schema)),
      },
    },
    run: async ({ aggregator }, { configuration }) => {
      const resolved = keepSecrets(await configuration.aggregator(), aggregator);
      const outcome: ConfigurationOutcome = resolved.ok
        ? await configuration.update(resolved.patch)
        : { kind: 'invalid', issues: resolved.problems };
      return createOrderResult(UPDATE, outcome);
    },
  });

/** Returns the tools about the gateway's configuration. `schema` describes the part that they change. */
export const createConfigTools = (schema: JsonObject): readonly CoreTool[] => [
  defineCoreTool({
    name: 'core_config_get',
    description: "Show the gateway's configuration without secrets.",
    annotations: READS,
    arguments: {},
    run: (_args, ports) => createObjectResult(withoutSecrets(ports.config()) as JsonObject),
  }),
  defineCoreTool({
    name: 'core_config_get_aggregator',
    description: "Show the part of the configuration about the gateway's endpoint and catalog.",
    annotations: READS,
    arguments: {},
    run: async (_args, { configuration }) =>
      createObjectResult(withoutSecrets(await configuration.aggregator()) as JsonObject),
  }),
  updateTool(schema),
  defineCoreTool({
    name: 'core_config_save',
    description: 'Write the changed configuration to config.yaml; comments there stay.',
    annotations: ENDS_OR_REPLACES,
    arguments: {},
    run: async (_args, { configuration }) => createOrderResult(SAVE, await configuration.save()),
  }),
  defineCoreTool({
    name: 'core_config_reload',
    description: 'Read config.yaml and all resource files again; unsaved changes are lost.',
    annotations: ENDS_OR_REPLACES,
    arguments: {},
    run: async (_args, { configuration }) =>
      createOrderResult(RELOAD, await configuration.reload()),
  }),
];
