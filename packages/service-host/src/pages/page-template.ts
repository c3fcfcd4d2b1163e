/** The document around the content of every page. The style is raw because its text belongs to the repository and its hash to the policy. */
export const PAGE_TEMPLATE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= it.title %></title>
<link rel="icon" href="data:,">
<style><%~ it.style %></style>
</head>
<body>
<%~ include('@content', it.data) %>
</body>
</html>
`;
