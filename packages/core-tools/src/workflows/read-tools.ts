import { READS } from '../tool/annotations.ts';
import { defineCoreTool, type CoreTool } from '../tool/core-tool.ts';
import { byName } from '../tool/by-name.ts';
import { failedResult, objectResult } from '../tool/result.ts';
import { WORKFLOW_NAME } from './definition-arguments.ts';
import { availability, workflowInfo, workflowListEntry } from './workflow-info.ts';

/** The tools that show workflows. @spec §2.7 */
export const workflowReadTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_workflow_list',
    description: 'List all workflows, and which of them can run now.',
    annotations: READS,
    arguments: {
      include_system: { type: 'boolean', required: false, description: 'Has no effect' },
    },
    run: (_args, ports, context) =>
      objectResult({
        workflows: ports
          .workflows()
          .toSorted(byName)
          .map((view) => workflowListEntry(view, ports, context)),
      }),
  }),
  defineCoreTool({
    name: 'core_workflow_get',
    description: 'Show one workflow: its definition, status and YAML.',
    annotations: READS,
    arguments: { name: WORKFLOW_NAME },
    run: ({ name }, ports, context) => {
      const view = ports.workflows().find((one) => one.name === name);
      return view === undefined
        ? failedResult(`Failed to get workflow: workflow ${name} not found`)
        : objectResult({ workflow: workflowInfo(view, ports, context), yaml: view.text });
    },
  }),
  defineCoreTool({
    name: 'core_workflow_available',
    description:
      'Report whether a workflow can run: it exists, is valid, and all its tools are available.',
    annotations: READS,
    arguments: { name: WORKFLOW_NAME },
    run: ({ name }, ports, context) => {
      const view = ports.workflows().find((one) => one.name === name);
      const answer = view === undefined ? { available: false } : availability(view, ports, context);
      return objectResult({ name, ...answer });
    },
  }),
];
