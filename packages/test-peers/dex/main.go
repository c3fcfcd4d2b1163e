// Command dex runs the server of github.com/dexidp/dex with its storage in memory, for tests. The command of Dex itself
// requires CGO, because every build of it contains the SQLite storage.
//
// It reads one JSON object from standard input, listens, prints the issuer as one line, and runs until it is killed or
// standard input ends.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	gosundheit "github.com/AppsFlyer/go-sundheit"
	"github.com/dexidp/dex/server"
	"github.com/dexidp/dex/storage"
	"github.com/dexidp/dex/storage/memory"
	"github.com/dexidp/dex/web"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/crypto/bcrypt"
)

type user struct {
	Email    string `json:"email"`
	Username string `json:"username"`
	UserID   string `json:"userID"`
	Password string `json:"password"`
}

type connector struct {
	ID     string          `json:"id"`
	Name   string          `json:"name"`
	Type   string          `json:"type"`
	Config json.RawMessage `json:"config"`
}

type settings struct {
	Clients    []storage.Client `json:"clients"`
	Users      []user           `json:"users"`
	Connectors []connector      `json:"connectors"`
}

func connectorsOf(s settings) []storage.Connector {
	all := []storage.Connector{{ID: server.LocalConnector, Name: "Password", Type: server.LocalConnector}}
	for _, c := range s.Connectors {
		all = append(all, storage.Connector{ID: c.ID, Name: c.Name, Type: c.Type, Config: c.Config})
	}
	return all
}

func passwordsOf(s settings) ([]storage.Password, error) {
	var all []storage.Password
	for _, u := range s.Users {
		hash, err := bcrypt.GenerateFromPassword([]byte(u.Password), 10)
		if err != nil {
			return nil, err
		}
		all = append(all, storage.Password{Email: u.Email, Username: u.Username, UserID: u.UserID, Hash: hash})
	}
	return all, nil
}

func newServer(issuer string, s settings, logger *slog.Logger) (*server.Server, error) {
	passwords, err := passwordsOf(s)
	if err != nil {
		return nil, err
	}
	store := storage.WithStaticClients(memory.New(logger), s.Clients)
	store = storage.WithStaticPasswords(store, passwords, logger)
	store = storage.WithStaticConnectors(store, connectorsOf(s))
	refresh, err := server.NewRefreshTokenPolicy(logger, false, "1h", "", "0s")
	if err != nil {
		return nil, err
	}
	return server.NewServer(context.Background(), server.Config{
		Issuer:  issuer,
		Storage: store,
		AllowedGrantTypes: []string{
			"authorization_code",
			"refresh_token",
			"urn:ietf:params:oauth:grant-type:device_code",
			"urn:ietf:params:oauth:grant-type:token-exchange",
		},
		SupportedResponseTypes: []string{"code"},
		SkipApprovalScreen:     true,
		IDTokensValidFor:       5 * time.Minute,
		RefreshTokenPolicy:     refresh,
		Web:                    server.WebConfig{WebFS: web.FS()},
		Logger:                 logger,
		PrometheusRegistry:     prometheus.NewRegistry(),
		HealthChecker:          gosundheit.New(),
	})
}

// A parent that dies closes standard input: the server ends with it.
func endWithInput(input io.Reader) {
	_, _ = io.Copy(io.Discard, input)
	os.Exit(0)
}

func run(listen string) error {
	var s settings
	decoder := json.NewDecoder(os.Stdin)
	if err := decoder.Decode(&s); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	issuer := "http://" + listener.Addr().String() + "/dex"
	dex, err := newServer(issuer, s, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err != nil {
		return err
	}
	go endWithInput(os.Stdin)
	fmt.Println(issuer)
	return http.Serve(listener, dex)
}

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "address and port")
	flag.Parse()
	if err := run(*listen); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
