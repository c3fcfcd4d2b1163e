package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type toolset string

func (t toolset) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("X-Gateway-Toolset", string(t))
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint:   cmp.Or(os.Getenv("GATEWAY_URL"), "http://127.0.0.1:8090/mcp"),
		HTTPClient: &http.Client{Transport: toolset("server:everything")},
	}, nil)
	if err != nil {
		panic(err)
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{
		Name: "call_tool",
		Arguments: map[string]any{
			"name":      "x_everything_echo",
			"arguments": map[string]any{"message": "hello"},
		},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Content[0].(*mcp.TextContent).Text)
}
