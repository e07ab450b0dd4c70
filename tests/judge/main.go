// real-server FOLDER PORT FLAG…: a kube-apiserver with its own etcd in one process, for loopback only.
//
// etcd keeps its data in FOLDER and listens at PORT; the FLAGs are those of kube-apiserver.
package main

import (
	"log"
	"net/url"
	"os"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func startEtcd(folder, port string) *embed.Etcd {
	listen := url.URL{Scheme: "http", Host: "127.0.0.1:" + port}
	config := embed.NewConfig()
	config.Dir = folder
	config.ListenClientUrls = []url.URL{listen}
	config.AdvertiseClientUrls = config.ListenClientUrls
	config.ListenPeerUrls = []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.LogLevel = "error"
	config.UnsafeNoFsync = true // what it keeps is of no value after the run
	config.WatchProgressNotifyInterval = 5 * time.Second
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		log.Fatalf("etcd does not start in %s: %v", folder, err)
	}
	<-etcd.Server.ReadyNotify()
	return etcd
}

func main() {
	if len(os.Args) < 3 {
		log.Print("usage: real-server FOLDER PORT FLAG…")
		os.Exit(2)
	}
	etcd := startEtcd(os.Args[1], os.Args[2])
	os.Args = append([]string{"kube-apiserver", "--etcd-servers=http://127.0.0.1:" + os.Args[2]}, os.Args[3:]...)
	status := cli.Run(app.NewAPIServerCommand())
	etcd.Close()
	os.Exit(status)
}
