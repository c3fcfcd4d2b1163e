import type { JsonObject } from '@gateway/call-contract';
import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PageLink, PageTitle } from '../../display/page-parts.tsx';
import { DefinitionEditor } from '../definition/definition-editor.tsx';
import { withoutProperty } from '../definition/definition-values.ts';
import { useCoreCommand } from '../../queries/core-tools.ts';
import { WORKFLOWS_KEY } from './workflow-facts.ts';

const FIELDS = ['name', 'description', 'args', 'steps'];

/** Writes a workflow and reads the workflows again. */
const useWrite = (tool: 'core_workflow_create' | 'core_workflow_update', onEnd: () => void) => {
  const command = useCoreCommand();
  const queries = useQueryClient();
  return {
    isPending: command.isPending,
    write: (args: JsonObject) =>
      command.mutate(
        { tool, args },
        {
          onSuccess: () => {
            onEnd();
            void queries.invalidateQueries({ queryKey: [WORKFLOWS_KEY] });
          },
        },
      ),
  };
};

/** Changes the whole definition of a workflow. */
export const EditWorkflow = ({
  definition,
  onEnd,
}: {
  readonly definition: JsonObject;
  readonly onEnd: () => void;
}): ReactNode => {
  const [value, setValue] = useState(definition);
  const { isPending, write } = useWrite('core_workflow_update', onEnd);
  return (
    <DefinitionEditor
      tool="core_workflow_update"
      checkTool="core_workflow_validate"
      pickSchema={withoutProperty('name')}
      first={FIELDS}
      value={value}
      onChange={setValue}
      submitLabel="Save changes"
      isPending={isPending}
      onSubmit={() => write({ ...value, name: definition['name'] })}
      onCancel={onEnd}
    />
  );
};

const EMPTY = { steps: [] };

/** Creates a workflow. */
export const NewWorkflowPage = (): ReactNode => {
  const [value, setValue] = useState<JsonObject>(EMPTY);
  const navigate = useNavigate();
  const { isPending, write } = useWrite(
    'core_workflow_create',
    () =>
      void navigate({
        to: '/workflows/$workflow',
        params: { workflow: String(value['name']) },
      }),
  );
  return (
    <Stack maw={720}>
      <PageLink to="/workflows" size="sm">
        All workflows
      </PageLink>
      <PageTitle title="New workflow" />
      <DefinitionEditor
        tool="core_workflow_create"
        checkTool="core_workflow_validate"
        first={FIELDS}
        value={value}
        onChange={setValue}
        submitLabel="Create"
        isPending={isPending}
        onSubmit={() => write(value)}
      />
    </Stack>
  );
};
