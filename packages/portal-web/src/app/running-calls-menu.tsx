import { WORKFLOW_TOOL_PREFIX } from '@gateway/toolset-composer';
import { Button, Loader, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRunningCalls } from '../pages/tool/use-tool-call.ts';

/** The page on which the call of a tool can be followed and cancelled. */
const CallItem = ({ tool }: { readonly tool: string }): ReactNode => (
  <Menu.Item
    style={{ overflowWrap: 'anywhere' }}
    renderRoot={(props) =>
      tool.startsWith(WORKFLOW_TOOL_PREFIX) ? (
        <Link
          to="/workflows/$workflow"
          params={{ workflow: tool.slice(WORKFLOW_TOOL_PREFIX.length) }}
          {...props}
        />
      ) : (
        <Link to="/catalog/$tool" params={{ tool }} search={{ tab: 'try' }} {...props} />
      )
    }
  >
    <bdi>{tool}</bdi>
  </Menu.Item>
);

/** The calls of the person that run, each with the way to its page; nothing while none runs. */
export const RunningCallsMenu = (): ReactNode => {
  const tools = useRunningCalls();
  if (tools.length === 0) return null;
  return (
    <Menu width={260}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<Loader size={12} />}>
          {`${tools.length} running`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {tools.map((tool) => (
          <CallItem key={tool} tool={tool} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
