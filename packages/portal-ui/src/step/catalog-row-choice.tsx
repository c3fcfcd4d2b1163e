import { Accordion, Alert, Badge, Checkbox, Group, Stack, Text } from '@mantine/core';
import { isChosen, toggle, type CatalogRow } from '@gateway/toolset-composer';
import type { ReactNode } from 'react';
import { SignInOffers } from '../sign-in/sign-in-offers.tsx';
import type { StartSignIn } from '../sign-in/sign-in-start.ts';
import type { ComposeProps } from './compose-props.ts';
import { ToolChoices } from './tool-choices.tsx';

/** Returns the key of a row among those of its group. */
export const rowKey = ({ kind, name }: CatalogRow): string => `${kind}:${name}`;

const countText = (count: number): string => (count === 1 ? '1 tool' : `${count} tools`);

const labelOf = ({ kind, name }: CatalogRow): string => {
  if (kind !== 'workflows') return name;
  return name === '' ? 'Workflows' : `Workflows ${name}`;
};

const Warning = ({ row }: { readonly row: CatalogRow }): ReactNode =>
  row.kind === 'core' ? (
    <Alert color="red" title="These tools administer the gateway">
      They change servers, workflows and settings for everyone. Choose only those that the agent
      needs.
    </Alert>
  ) : null;

const SignIn = ({
  row,
  isWhole,
  onSignIn,
}: {
  readonly row: CatalogRow;
  readonly isWhole: boolean;
  readonly onSignIn: StartSignIn;
}): ReactNode =>
  row.signIn.length === 0 ? null : (
    <Stack gap={4}>
      <Text size="sm">
        {isWhole
          ? 'selected without a sign-in'
          : 'Its tools are listed after a sign-in. The whole server can be selected without one.'}
      </Text>
      <SignInOffers servers={row.signIn} onSignIn={onSignIn} />
    </Stack>
  );

/** The properties of {@link CatalogRowChoice}. */
export interface CatalogRowChoiceProps extends ComposeProps {
  readonly row: CatalogRow;
  readonly onSignIn: StartSignIn;
}

const RowHead = ({ row, composition, onChange }: CatalogRowChoiceProps): ReactNode => {
  const { selector } = row;
  const label = labelOf(row);
  return (
    <Group wrap="nowrap" gap="xs">
      {selector !== undefined && (
        <Checkbox
          aria-label={`All tools of ${label}`}
          checked={isChosen(composition, selector)}
          onChange={() => onChange(toggle(composition, selector))}
        />
      )}
      <Accordion.Control px="xs" miw={0}>
        <Group gap="xs" style={{ overflowWrap: 'anywhere' }}>
          <bdi>{label}</bdi>
          <Badge size="sm" variant="default" tt="none">
            {row.signIn.length > 0 && row.tools.length === 0
              ? 'Sign-in required'
              : countText(row.tools.length)}
          </Badge>
        </Group>
      </Accordion.Control>
    </Group>
  );
};

/** A row of the catalog: the choice of a whole server or family, and of its single tools. */
export const CatalogRowChoice = (props: CatalogRowChoiceProps): ReactNode => {
  const { row, composition, onChange, onSignIn } = props;
  const isWhole = row.selector !== undefined && isChosen(composition, row.selector);
  return (
    <Accordion.Item value={rowKey(row)}>
      <RowHead {...props} />
      <Accordion.Panel>
        <Stack gap="sm">
          <Warning row={row} />
          <SignIn row={row} isWhole={isWhole} onSignIn={onSignIn} />
          <ToolChoices
            row={row}
            label={`Tools of ${labelOf(row)}`}
            composition={composition}
            onChange={onChange}
          />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
};
