import { Badge } from '@mantine/core';
import type { CatalogTool } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';

/** Shows whether a tool says that it only reads, or that it destroys something; nothing where it says neither. */
export const ToolMarks = ({
  tool,
}: {
  readonly tool: Pick<CatalogTool, 'isReadOnly' | 'isDestructive'>;
}): ReactNode => {
  if (tool.isReadOnly)
    return (
      <Badge size="sm" variant="light" color="teal" tt="none" flex="none">
        Read-only
      </Badge>
    );
  if (!tool.isDestructive) return null;
  return (
    <Badge size="sm" variant="light" color="red" tt="none" flex="none">
      Destructive
    </Badge>
  );
};
