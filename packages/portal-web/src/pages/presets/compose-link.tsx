import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBackend } from '../../backend/backend-context.ts';

/** Opens the wizard for an agent with a toolset of one selector; nothing in a portal without agent-manager. */
export const ComposeLink = ({ selector }: { readonly selector: string }): ReactNode => {
  const { session } = useBackend();
  if (!session.hasAgentManager) return null;
  return (
    <Button
      variant="default"
      size="xs"
      renderRoot={(props) => (
        <Link to="/agents/new" search={{ step: 'Tools', toolset: [selector] }} {...props} />
      )}
    >
      Compose with this preset
    </Button>
  );
};
