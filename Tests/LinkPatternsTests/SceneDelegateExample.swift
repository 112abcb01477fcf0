// How an iOS app uses the library: universal links and links of its own scheme arrive at the scene,
// and one router gives both a meaning. Compiled where UIKit is; nothing here runs as a test.

import LinkPatterns

#if canImport(UIKit) && !os(watchOS)

    import AppLinks
    import UIKit

    /// What a link of the shop asks for.
    enum ShopScreen {
        case recipe(id: Int)
        case basket
    }

    /// The scene of the shop's app.
    @MainActor
    final class ShopSceneDelegate: UIResponder, UIWindowSceneDelegate {
        var window: UIWindow?
        private var isLoggedIn = false
        private lazy var router = makeRouter()

        private func makeRouter() -> LinkRouter<ShopScreen> {
            let router = LinkRouter<ShopScreen>(schemes: ["https", "shop"]) { [weak self] link in
                guard let self else { return .rejected(link) }
                // The link is kept, and opened again when the login is done.
                guard isLoggedIn else { return .delayed(link) }
                show(link.intent, animated: link.animated)
                return .opened(link)
            }
            if let recipes = try? LinkPattern("recipes" / .int("id")),
                let basket = try? LinkPattern("basket" | "cart")
            {
                router.add(recipes) { _, parameters in
                    parameters.int("id").map { .recipe(id: $0) }
                }
                router.add(basket) { _, _ in .basket }
            }
            return router
        }

        func scene(_ scene: UIScene, continue activity: NSUserActivity) {
            guard activity.activityType == NSUserActivityTypeBrowsingWeb,
                let url = activity.webpageURL
            else { return }
            Task { await router.open(url.absoluteString) }
        }

        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            guard let url = contexts.first?.url else { return }
            Task { await router.open(url.absoluteString) }
        }

        func didLogIn() {
            isLoggedIn = true
            Task { await router.complete() }
        }

        private func show(_ screen: ShopScreen, animated: Bool) {
            let controller = UIViewController()
            switch screen {
            case .recipe(let id): controller.title = "Recipe \(id)"
            case .basket: controller.title = "Basket"
            }
            (window?.rootViewController as? UINavigationController)?
                .pushViewController(controller, animated: animated)
        }
    }

#endif
