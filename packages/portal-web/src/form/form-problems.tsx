import { Alert, List } from '@mantine/core';
import type { RJSFValidationError } from '@rjsf/utils';
import type { ReactNode } from 'react';

/** More problems than a user reads at a time. */
const MAX_SHOWN = 10;

/** The path of the whole object. */
const WHOLE = '.';

/** Returns a problem with the path of its field: `account.name: The field is required.` */
export const formatProblem = ({ property = WHOLE, message = '' }: RJSFValidationError): string =>
  property === WHOLE ? message : `${property.slice(WHOLE.length)}: ${message}`;

/** Why a form was not sent. A field with a problem can be far from the button, and a form has no field for some problems. */
export const FormProblems = ({
  problems,
}: {
  readonly problems: readonly RJSFValidationError[];
}): ReactNode => {
  if (problems.length === 0) return null;
  const lines = [...new Set(problems.map(formatProblem))];
  return (
    <Alert color="red" role="alert" title="Some values are not valid">
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {lines.slice(0, MAX_SHOWN).map((line) => (
          <List.Item key={line}>
            <bdi>{line}</bdi>
          </List.Item>
        ))}
        {lines.length > MAX_SHOWN && <List.Item>{`${lines.length - MAX_SHOWN} more`}</List.Item>}
      </List>
    </Alert>
  );
};
