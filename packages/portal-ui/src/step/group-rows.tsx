import { Accordion, Button, Stack } from '@mantine/core';
import type { CatalogSection } from '@gateway/toolset-composer';
import { useState, type ReactNode } from 'react';
import type { StartSignIn } from '../sign-in/sign-in-start.ts';
import { CatalogRowChoice, rowKey } from './catalog-row-choice.tsx';
import type { ComposeProps } from './compose-props.ts';
import { useOpened } from './use-opened.ts';

/** The number of rows of a group that are shown before a person asks for all. */
const FIRST = 20;

const allText = ({ group, rows: { length } }: CatalogSection): string =>
  `Show all ${length} ${group === 'workflows' ? 'groups' : 'servers'}`;

/** The rows of a group of the catalog: the first 20, and all of them when the person asks for them. */
export const GroupRows = ({
  section,
  choices,
  isSearch,
}: {
  readonly section: CatalogSection;
  readonly choices: ComposeProps & { readonly onSignIn: StartSignIn };
  readonly isSearch: boolean;
}): ReactNode => {
  const [isComplete, setComplete] = useState(false);
  const { rows } = section;
  const shown = isComplete ? rows : rows.slice(0, FIRST);
  const opened = useOpened(shown.map(rowKey), isSearch);
  return (
    <Stack gap="xs">
      <Accordion multiple keepMounted={false} order={5} chevronPosition="left" {...opened}>
        {shown.map((row) => (
          <CatalogRowChoice key={rowKey(row)} row={row} {...choices} />
        ))}
      </Accordion>
      {shown.length < rows.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setComplete(true)}>
          {allText(section)}
        </Button>
      )}
    </Stack>
  );
};
