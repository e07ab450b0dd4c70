import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;
import java.util.Scanner;
import java.util.stream.Collectors;

/**
 * A controller in Java: a shared informer of fabric8's client on ConfigMaps, and a client that writes them.
 * tests/clients/drive.py says what it reads and prints.
 */
public final class Informer {
  private static final String NAMESPACE = "app";

  private static synchronized void say(String line) {
    System.out.println(line);
  }

  private static void show(SharedIndexInformer<ConfigMap> informer) {
    say("store " + informer.getStore().list().stream()
        .map(each -> each.getMetadata().getName() + "=" + (each.getData() == null ? "" : each.getData().get("k")))
        .sorted().collect(Collectors.joining(",")));
  }

  private static void obey(KubernetesClient client, String[] words) {
    var maps = client.configMaps().inNamespace(NAMESPACE);
    switch (words[0]) {
      case "create" -> maps.resource(new ConfigMapBuilder().withNewMetadata().withName(words[1]).endMetadata()
          .withData(Map.of("k", words[2])).build()).create();
      case "patch" -> maps.withName(words[1]).patch("{\"data\":{\"k\":\"" + words[2] + "\"}}");
      default -> maps.withName(words[1]).delete();
    }
  }

  public static void main(String[] arguments) {
    KubernetesClient client = new KubernetesClientBuilder().build();
    var informer = client.configMaps().inNamespace(NAMESPACE).runnableInformer(0);
    informer.exceptionHandler((started, failure) -> true);  // try again, whatever it was
    informer.addEventHandler(new ResourceEventHandler<ConfigMap>() {
      @Override public void onAdd(ConfigMap object) { show(informer); }
      @Override public void onUpdate(ConfigMap before, ConfigMap after) { show(informer); }
      @Override public void onDelete(ConfigMap object, boolean unknown) { show(informer); }
    });
    informer.start().exceptionally(failure -> null);
    Scanner commands = new Scanner(System.in);
    while (commands.hasNextLine()) {
      try {
        obey(client, commands.nextLine().split(" "));
        say("done");
      } catch (RuntimeException failure) {
        say("failed " + failure.getMessage());
      }
    }
    System.exit(0);
  }
}
