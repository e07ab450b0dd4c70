//! A controller in Rust: a reflector of kube-rs on ConfigMaps, and a client that writes them.
//! tests/clients/drive.py says what it reads and prints.
use futures::StreamExt;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, Patch, PatchParams, PostParams};
use kube::runtime::{reflector, watcher, WatchStreamExt};
use kube::Client;
use tokio::io::{AsyncBufReadExt, BufReader};

fn show(reader: &reflector::Store<ConfigMap>) {
    let mut entries: Vec<String> = reader
        .state()
        .iter()
        .map(|each| {
            let value = each.data.as_ref().and_then(|data| data.get("k")).cloned();
            format!("{}={}", each.metadata.name.clone().unwrap_or_default(), value.unwrap_or_default())
        })
        .collect();
    entries.sort();
    println!("store {}", entries.join(","));
}

async fn obey(api: &Api<ConfigMap>, words: &[&str]) -> Result<(), kube::Error> {
    match words[0] {
        "create" => {
            let object = serde_json::from_value(
                serde_json::json!({"metadata": {"name": words[1]}, "data": {"k": words[2]}}),
            )
            .expect("a ConfigMap");
            api.create(&PostParams::default(), &object).await?;
        }
        "patch" => {
            let patch = serde_json::json!({"data": {"k": words[2]}});
            api.patch(words[1], &PatchParams::default(), &Patch::Merge(patch)).await?;
        }
        _ => {
            api.delete(words[1], &DeleteParams::default()).await?;
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::try_default().await?;
    let api: Api<ConfigMap> = Api::namespaced(client, "app");
    let (reader, writer) = reflector::store();
    let stream = watcher(api.clone(), watcher::Config::default());
    let mut events = reflector(writer, stream).default_backoff().boxed();
    let informer = async {
        while let Some(event) = events.next().await {
            match event {
                Ok(watcher::Event::Init | watcher::Event::InitApply(_)) => {}
                Ok(_) => show(&reader),
                Err(failure) => eprintln!("informer: {failure}"),
            }
        }
    };
    let commands = async {
        let mut lines = BufReader::new(tokio::io::stdin()).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let words: Vec<&str> = line.split_whitespace().collect();
            match obey(&api, &words).await {
                Ok(()) => println!("done"),
                Err(failure) => println!("failed {failure}"),
            }
        }
    };
    tokio::select! {
        _ = informer => eprintln!("informer: the stream is over"),
        _ = commands => {}
    }
    Ok(())
}
