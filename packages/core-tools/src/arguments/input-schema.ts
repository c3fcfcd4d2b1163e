import type { JsonObject } from '@gateway/call-contract';
import type { CoreArgument, CoreArguments } from './core-argument.ts';

/** Returns the JSON Schema of an argument besides its type and description. */
const detailsOf = (argument: CoreArgument): JsonObject => {
  switch (argument.type) {
    case 'string':
      return { ...(argument.enum !== undefined && { enum: argument.enum }), ...argument.schema };
    case 'boolean':
      return argument.default === undefined ? {} : { default: argument.default };
    case 'integer': {
      const { minimum, maximum, default: usual } = argument;
      return {
        minimum,
        ...(maximum !== undefined && { maximum }),
        ...(usual !== undefined && { default: usual }),
      };
    }
    case 'array':
    case 'object':
      return argument.schema;
  }
};

/** Returns the JSON Schema of a tool's arguments, without aliases. */
export const inputSchemaOf = (table: CoreArguments): JsonObject => {
  const required = Object.keys(table).filter((name) => table[name]?.required);
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(table).map(([name, argument]) => [
        name,
        {
          type: argument.nullable === true ? [argument.type, 'null'] : argument.type,
          description: argument.description,
          ...detailsOf(argument),
        },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
};
