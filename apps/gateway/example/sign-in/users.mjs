/** The people of the example's provider. Alice may change the gateway; Bob may use it. */
export const USERS = new Map([
  [
    'alice',
    {
      password: 'wonderland',
      sees: 'all tools, and may start, stop and change servers',
      claims: { name: 'Alice', email: 'alice@example.com', groups: ['admins'] },
    },
  ],
  [
    'bob',
    {
      password: 'builder',
      sees: 'no tools that change the gateway, and reads who grants them',
      claims: { name: 'Bob', email: 'bob@example.com', groups: ['staff'] },
    },
  ],
]);
